import { ToolError } from '../base/error.ts';

/** What the engine's complaint says of the pattern, in words for whoever wrote it; undefined when it is about something else. */
export function patternError(errors: string): ToolError | undefined {
  const type = /unrecognized file type: (.*)/.exec(errors)?.[1];
  if (type !== undefined) {
    return new ToolError(
      'invalid',
      `Unknown file type "${type}". Use a name such as ts, js, py, rust, go or md, or a glob.`,
    );
  }
  const reason = patternReason(errors);
  if (reason === undefined) return undefined;
  const advice = advices.find(([sign]) => reason.includes(sign))?.[1];
  return new ToolError('invalid', `Invalid regex: ${reason}.${advice === undefined ? '' : ` ${advice}`}`);
}

function patternReason(errors: string): string | undefined {
  if (errors.includes('contains "\\0"')) return 'a NUL byte is in no text, and binary files are not searched';
  if (
    /^rg: (?:regex parse error|error parsing|.*regex)/im.test(errors) ||
    errors.includes('is not allowed in a regex')
  ) {
    const line = /^error: (.*)$/m.exec(errors)?.[1] ?? /^rg: (.*)$/m.exec(errors)?.[1];
    return line?.replace(/\.$/, '');
  }
  return undefined;
}

const advices: readonly (readonly [string, string])[] = [
  [
    'look-around',
    'Match the text itself without (?=…), (?!…), (?<=…) or (?<!…), and sort out the lines you get, or search twice.',
  ],
  ['backreferences', 'Write the repeated text out, or match more widely and sort out the lines you get.'],
  ['literal "\\n"', 'Patterns are matched line by line: search for a part that lies on one line.'],
  ['unclosed group', 'Escape a literal parenthesis as \\(.'],
  ['unopened group', 'Escape a literal parenthesis as \\).'],
  ['unclosed character class', 'Escape a literal bracket as \\[.'],
  ['repetition operator missing expression', 'Escape a literal *, + or ? with a backslash.'],
  ['size limit', 'Use smaller repetition counts.'],
];
