import { ToolError } from '../../base/error.ts';
import { parseGitLine, parsePlainName } from './name.ts';
import { quote, withoutCr } from './text.ts';

/** The lines of a `diff --git` section before its `---` line or first hunk. Format: git-diff(1), "extended header lines". */
export interface GitHeader {
  /** The two names of the `diff --git` line as written, unless they can't be told apart. */
  readonly names?: readonly [string, string];
  readonly newMode?: number;
  /** The mode of a file that the section creates. */
  readonly created?: number;
  readonly deleted?: number;
  /** The mode that stays, from the `index` line. */
  readonly keptMode?: number;
  readonly renameFrom?: string;
  readonly renameTo?: string;
  readonly oldMode?: number;
  readonly copies?: true;
}

type Field = (rest: string, line: number) => Partial<GitHeader>;

const fields: readonly (readonly [start: string, read: Field])[] = [
  ['old mode ', (rest, line) => ({ oldMode: parseMode(rest, line) })],
  ['new mode ', (rest, line) => ({ newMode: parseMode(rest, line) })],
  ['new file mode ', (rest, line) => ({ created: parseMode(rest, line) })],
  ['deleted file mode ', (rest, line) => ({ deleted: parseMode(rest, line) })],
  ['rename from ', (rest, line) => ({ renameFrom: parsePlainName(rest, line) })],
  ['rename to ', (rest, line) => ({ renameTo: parsePlainName(rest, line) })],
  ['rename old ', (rest, line) => ({ renameFrom: parsePlainName(rest, line) })],
  ['rename new ', (rest, line) => ({ renameTo: parsePlainName(rest, line) })],
  ['copy from ', () => ({ copies: true })],
  ['copy to ', () => ({ copies: true })],
  ['similarity index ', () => ({})],
  ['dissimilarity index ', () => ({})],
  ['index ', (rest, line) => indexMode(rest, line)],
];

/** Reads the header whose `diff --git` line is `lines[at]`. */
export function parseGitHeader(lines: readonly string[], at: number): { header: GitHeader; next: number } {
  const names = parseGitLine(withoutCr(lines[at]!).slice('diff --git '.length), at + 1);
  let header: GitHeader = names === undefined ? {} : { names };
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const field = fieldOf(lines[next]!);
    if (field === undefined) break;
    const [start, read] = field;
    header = { ...header, ...read(withoutCr(lines[next]!).slice(start.length), next + 1) };
  }
  return { header, next };
}

/** True for a line that means something in a `diff --git` section only. */
export function isGitField(line: string): boolean {
  const field = fieldOf(line);
  return field !== undefined && field[0] !== 'index ';
}

function fieldOf(line: string): (typeof fields)[number] | undefined {
  return fields.find(([start]) => line.startsWith(start));
}

function indexMode(rest: string, line: number): Partial<GitHeader> {
  const mode = rest.split(' ')[1];
  return mode === undefined ? {} : { keptMode: parseMode(mode, line) };
}

function parseMode(text: string, line: number): number {
  if (/^[0-7]{5,6}\s*$/.test(text)) return Number.parseInt(text, 8);
  throw new ToolError(
    'invalid',
    `Line ${line} of the patch has no valid mode: ${quote(text, 40)}. Modes are 100644 and 100755.`,
  );
}
