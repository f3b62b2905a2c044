import { ToolError } from '../base/error.ts';
import { regexAdvice } from './regex-advice.ts';

/** What was asked of the engine when it complained. */
interface Asked {
  readonly pattern: string;
  /** Undefined for a search that can't cross line ends at all. */
  readonly multiline?: boolean;
}

/** What the engine's complaint says of the pattern, in words for whoever wrote it; undefined when it is about something else. */
export function patternError(errors: string, { pattern, multiline }: Asked): ToolError | undefined {
  const type = /unrecognized file type: (.*)/.exec(errors)?.[1];
  if (type !== undefined) {
    return new ToolError(
      'invalid',
      `Unknown file type "${type}". Use a name such as ts, js, py, rust, go or md, or a glob.`,
    );
  }
  const reason = patternReason(errors);
  if (reason === undefined) return undefined;
  if (endsInBackslash(pattern)) return invalid('the pattern ends in a backslash', 'Write a literal one as \\\\.');
  const advice = regexAdvice(reason, blamedText(errors));
  const crosses = reason.includes('literal "\\n"') && multiline === false ? ' Or set multiline.' : '';
  return invalid(reason, `${advice ?? ''}${crosses}`);
}

function invalid(reason: string, advice: string): ToolError {
  return new ToolError('invalid', `Invalid regex: ${reason}.${advice === '' ? '' : ` ${advice}`}`);
}

function patternReason(errors: string): string | undefined {
  if (errors.includes('contains "\\0"')) return 'a NUL byte is in no text, and binary files are not searched';
  if (/^rg: (?:regex parse error|.*regex)/im.test(errors) || errors.includes('is not allowed in a regex')) {
    const line = /^error: (.*)$/m.exec(errors)?.[1] ?? /^rg: (.*)$/m.exec(errors)?.[1];
    // The size limit in bytes helps nobody.
    return line?.replace(/ of \d+$|\.$/, '');
  }
  return undefined;
}

function endsInBackslash(pattern: string): boolean {
  let from = pattern.length;
  while (from > 0 && pattern[from - 1] === '\\') from -= 1;
  return (pattern.length - from) % 2 === 1;
}

/** The pattern from the place on that the engine's `^` points at; empty when it points at none. */
function blamedText(errors: string): string {
  const lines = errors.split('\n');
  const marks = lines.findIndex((line) => /^ +\^+$/.test(line));
  return marks < 1 ? '' : lines[marks - 1]!.slice(lines[marks]!.indexOf('^'));
}
