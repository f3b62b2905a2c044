import { ToolError } from '../../base/error.ts';

/** A name of a `---` or `+++` line. */
export interface HeaderName {
  /** As written, unquoted, prefix and all; undefined for `/dev/null`. */
  readonly name: string | undefined;
  /** True when the time behind the name is the epoch: how `diff -N` says that the file is not there. */
  readonly absent: boolean;
}

/** Reads the name behind `--- ` or `+++ `: quoted or not, up to a tab, behind which a time may stand. */
export function parseHeaderName(rest: string, line: number): HeaderName {
  const [name, tail] = rest.startsWith('"') ? splitQuoted(rest, line) : splitAtTab(rest);
  return { name: name === '/dev/null' ? undefined : name, absent: isEpoch(tail) };
}

/** A whole line's name, as `rename from` has it: quoted or plain. */
export function parsePlainName(rest: string, line: number): string {
  if (!rest.startsWith('"')) return rest;
  const [name, tail] = splitQuoted(rest, line);
  if (tail.trim() !== '') throw badQuotes(line);
  return name;
}

/** The two names of a `diff --git` line, or undefined when the text can't be split (a rename of spaced names). */
export function parseGitLine(rest: string, line: number): readonly [string, string] | undefined {
  if (rest.startsWith('"')) {
    const [first, tail] = splitQuoted(rest, line);
    return tail.startsWith(' ') ? [first, parsePlainName(tail.slice(1), line)] : undefined;
  }
  const quoted = rest.endsWith('"') ? rest.indexOf(' "') : -1;
  if (quoted >= 0) return [rest.slice(0, quoted), parsePlainName(rest.slice(quoted + 1), line)];
  const spaces = rest.split(' ');
  if (spaces.length === 2) return [spaces[0]!, spaces[1]!];
  // Both names are the same but for prefixes; when these are as long as each other, the border is in the very middle.
  const middle = (rest.length - 1) / 2;
  if (rest[middle] === ' ') return [rest.slice(0, middle), rest.slice(middle + 1)];
  return splitBehindFolders(rest, spaces);
}

// Bounds the work on a line that is all blanks.
const mostSpaces = 50;

/** The one way to split a line so that both names are the same behind their first folders. */
function splitBehindFolders(rest: string, parts: readonly string[]): readonly [string, string] | undefined {
  if (parts.length > mostSpaces) return undefined;
  const pairs = parts
    .slice(1)
    .map((_, at) => [parts.slice(0, at + 1).join(' '), parts.slice(at + 1).join(' ')] as const);
  const alike = pairs.filter(([from, to]) => behindFolder(from) !== '' && behindFolder(from) === behindFolder(to));
  return alike.length === 1 && rest.length <= maxQuoted ? alike[0] : undefined;
}

function behindFolder(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? '' : name.slice(slash + 1);
}

function splitAtTab(rest: string): readonly [string, string] {
  const tab = rest.indexOf('\t');
  return tab < 0 ? [rest, ''] : [rest.slice(0, tab), rest.slice(tab + 1)];
}

function splitQuoted(rest: string, line: number): readonly [string, string] {
  if (rest.length > maxQuoted) {
    throw new ToolError('invalid', `The file name on line ${line} of the patch is too long.`);
  }
  const bytes: Buffer[] = [];
  let at = 1;
  for (;;) {
    const stop = nextSpecial(rest, at);
    if (stop < 0) throw badQuotes(line);
    bytes.push(Buffer.from(rest.slice(at, stop)));
    if (rest[stop] === '"') return [decodeName(Buffer.concat(bytes), line), rest.slice(stop + 1)];
    const { byte, next } = readEscape(rest, stop + 1, line);
    bytes.push(Buffer.of(byte));
    at = next;
  }
}

// Two names of 4096 bytes, each byte written as an octal escape, and some room.
const maxQuoted = 40_000;

function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '"' || text[at] === '\\') return at;
  return -1;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** One C escape of a quoted name (git-config core.quotePath): a letter or three octal digits, standing for one byte. */
function readEscape(text: string, at: number, line: number): { byte: number; next: number } {
  const letter = escapes[text[at] ?? ''];
  if (letter !== undefined) return { byte: letter, next: at + 1 };
  const digits = text.slice(at, at + 3);
  if (!/^[0-3][0-7][0-7]$/.test(digits)) throw badQuotes(line);
  return { byte: Number.parseInt(digits, 8), next: at + 3 };
}

function decodeName(bytes: Buffer, line: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(
      'invalid',
      `The file name on line ${line} of the patch is not UTF-8. Such names can't be patched.`,
    );
  }
}

function badQuotes(line: number): ToolError {
  return new ToolError(
    'invalid',
    `Line ${line} of the patch has a broken quoted file name. Write the name plainly, or in double quotes with \\", \\\\, \\t, \\n or three octal digits per byte.`,
  );
}

const epoch = /^(1969-12-31|1970-01-01) (\d\d:\d\d:00)(?:\.0+)? ([+-]\d\d):?(\d\d)$/;

function isEpoch(time: string): boolean {
  const parts = time.length > 60 ? null : epoch.exec(time.trim());
  return parts !== null && Date.parse(`${parts[1]}T${parts[2]}${parts[3]}:${parts[4]}`) === 0;
}
