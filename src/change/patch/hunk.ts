import { ToolError } from '../../base/error.ts';
import type { Hunk, HunkLine } from './model.ts';
import { isBlank, isFileHeader, isSignature, quote, withoutCr } from './text.ts';

/**
 * Reads the hunk whose `@@` line is `lines[at]`. The body ends where the header's counts say, if that fits; if not, where
 * the body itself ends beyond doubt. Linear: at most two passes over the body.
 *
 * @param carried true when the patch as a whole came with CRLF: one CR at each line's end is the transport's.
 */
export function parseHunk(lines: readonly string[], at: number, carried: boolean): { hunk: Hunk; next: number } {
  const header = withoutCr(lines[at]!);
  const range = parseRange(header, at + 1);
  const next = (range && countedEnd(lines, at + 1, range)) ?? recountedEnd(lines, at + 1);
  const body = readBody(lines, at + 1, next, carried);
  refuseEmptyBody(body, at + 1);
  refuseEarlyEnd(body);
  return { hunk: { header, line: at + 1, ...(range && { start: range.start }), lines: body }, next };
}

interface Range {
  readonly start: number;
  readonly old: number;
  readonly new: number;
}

const ranges = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The numbers of a hunk header; undefined for a bare `@@`. A missing count means 1. */
function parseRange(header: string, line: number): Range | undefined {
  const found = ranges.exec(header);
  if (found) return { start: Number(found[1]), old: Number(found[2] ?? 1), new: Number(found[4] ?? 1) };
  if (/^@@(?: ?(?:\.\.\. )?@@)?\s*$/.test(header)) return undefined;
  if (header.startsWith('@@@')) {
    throw new ToolError(
      'invalid',
      `Line ${line} of the patch is a combined diff (of a merge), which can't be applied.`,
    );
  }
  throw new ToolError(
    'invalid',
    `Line ${line} of the patch is a malformed hunk header: ${quote(header)}. Write "@@ -START,COUNT +START,COUNT @@".`,
  );
}

/** The end of the body by its counts, or undefined when the counts don't fit what is there. */
function countedEnd(lines: readonly string[], from: number, range: Range): number | undefined {
  let [old, added, at] = [range.old, range.new, from];
  for (; old > 0 || added > 0; at += 1) {
    const sign = signOf(lines[at]);
    if (sign === undefined) return undefined;
    if (sign === ' ' || sign === '-') old -= 1;
    if (sign === ' ' || sign === '+') added -= 1;
    if (old < 0 || added < 0) return undefined;
  }
  if (signOf(lines[at]) === '\\') at += 1;
  const following = lines[at];
  const more = following !== undefined && !isBlank(following) && signOf(following) !== undefined;
  return more && !isFileHeader(lines, at) && !isSignature(lines, at) ? undefined : at;
}

/** The end of the body by its lines alone: blank lines belong to it when more of it follows. */
function recountedEnd(lines: readonly string[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (isBlank(line)) continue;
    if (isFileHeader(lines, at) && !lines[at + 2]?.startsWith('@@')) throw unclear(at + 1);
    if (signOf(line) === undefined || isFileHeader(lines, at) || isSignature(lines, at)) break;
    end = at + 1;
  }
  const stop = lines[end];
  if (stop !== undefined && !isBlank(stop) && signOf(stop) === undefined && !isBorder(stop))
    throw noSign(stop, end + 1);
  return end;
}

function isBorder(line: string): boolean {
  return ['@@', 'diff ', '```', 'Index: ', 'From ', 'Binary files ', 'Only in '].some((start) =>
    line.startsWith(start),
  );
}

type Sign = ' ' | '-' | '+' | '\\';

/** What a line is inside a hunk. A blank one is a blank context line whose leading space was trimmed away. */
function signOf(line: string | undefined): Sign | undefined {
  if (line === undefined) return undefined;
  if (isBlank(line)) return ' ';
  const sign = line[0];
  if (sign === '\\') return line.startsWith('\\ ') ? '\\' : undefined;
  return sign === ' ' || sign === '-' || sign === '+' ? sign : undefined;
}

const kinds = { ' ': 'context', '-': 'remove', '+': 'add' } as const;

function readBody(lines: readonly string[], from: number, end: number, carried: boolean): HunkLine[] {
  const body: HunkLine[] = [];
  for (let at = from; at < end; at += 1) {
    const raw = carried ? withoutCr(lines[at]!) : lines[at]!;
    const sign = signOf(raw) as Sign;
    if (sign === '\\') endWithoutNewline(body, at + 1);
    else body.push(readLine(kinds[sign], isBlank(raw) ? raw : raw.slice(1), at + 1));
  }
  return body;
}

function readLine(kind: HunkLine['kind'], text: string, line: number): HunkLine {
  return text.endsWith('\r') ? { kind, text: text.slice(0, -1), eol: '\r\n', line } : { kind, text, eol: '\n', line };
}

function endWithoutNewline(body: HunkLine[], line: number): void {
  const last = body.pop();
  if (last === undefined || last.eol === '') {
    throw new ToolError('invalid', `Line ${line} of the patch ("\\ No newline") follows no line of a hunk.`);
  }
  // Without a line feed behind it, a CR is no line end but the file's last character.
  body.push({ ...last, text: last.eol === '\r\n' ? `${last.text}\r` : last.text, eol: '' });
}

function refuseEmptyBody(body: readonly HunkLine[], line: number): void {
  if (body.some(({ kind }) => kind !== 'context')) return;
  const what = body.length === 0 ? 'is empty' : 'has no "+" or "-" line, so it changes nothing';
  throw new ToolError('invalid', `The hunk on line ${line} of the patch ${what}.`);
}

/** A line without a newline can only be the last of its side. */
function refuseEarlyEnd(body: readonly HunkLine[]): void {
  for (const other of ['add', 'remove'] as const) {
    const side = body.filter(({ kind }) => kind !== other);
    const early = side.slice(0, -1).find(({ eol }) => eol === '');
    if (early) {
      throw new ToolError(
        'invalid',
        `Line ${early.line} of the patch is marked "\\ No newline at end of file", but more lines of the file follow it.`,
      );
    }
  }
}

function unclear(line: number): ToolError {
  return new ToolError(
    'invalid',
    `Lines ${line} and ${line + 1} of the patch may be a file header or changed lines, and the counts of the "@@" line before them are wrong. Send the right counts.`,
  );
}

function noSign(text: string, line: number): ToolError {
  return new ToolError(
    'invalid',
    `Line ${line} of the patch stands inside a hunk but begins with neither " ", "-" nor "+": ${quote(text)}. Every context line needs a leading space.`,
  );
}
