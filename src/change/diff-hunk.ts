import { decode } from '../base/codec.ts';
import type { Encoding } from '../base/encoding.ts';
import type { Hunk, TextSides } from './hunks.ts';
import { type LineEdit, type LineRange, nextLine } from './line-diff.ts';

/** A hunk as text, header line included. `display` shows carriage returns only where line ends change, and then visibly. */
export function hunkText(sides: TextSides, hunk: Hunk, display: boolean): string {
  const old = { bytes: sides.before, encoding: sides.beforeEncoding, feed: sides.feed };
  const now = { bytes: sides.after, encoding: sides.afterEncoding, feed: sides.afterFeed };
  const quiet = display ? 'hidden' : 'raw';
  const out = [`@@ -${rangeText(hunk.before)} +${rangeText(hunk.after)} @@\n`];
  let at = hunk.before.from;
  for (const { before, after } of hunk.edits) {
    const returns = display && changesEnds(sides, { before, after }) ? 'shown' : quiet;
    pushLines(out, old, at, before.from, ' ', quiet);
    pushLines(out, old, before.from, before.to, '-', returns);
    pushLines(out, now, after.from, after.to, '+', returns);
    at = before.to;
  }
  pushLines(out, old, at, hunk.before.to, ' ', quiet);
  return out.join('');
}

/** `12,3`, `12` for a single line, and for none the line in front. */
function rangeText({ line, end }: LineRange): string {
  const count = end - line;
  if (count === 1) return String(line + 1);
  return count === 0 ? `${line},0` : `${line + 1},${count}`;
}

interface Side {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly feed: Buffer;
}

/** What becomes of a carriage return at the end of a line. */
type Returns = 'raw' | 'hidden' | 'shown';

function pushLines(out: string[], side: Side, from: number, to: number, sign: string, returns: Returns): void {
  if (from >= to) return;
  const lines = side.encoding.name === 'UTF-8' ? utf8Lines(side.bytes, from, to) : decodedLines(side, from, to);
  // What stands behind the last line end is a line without one, or nothing.
  const unended = lines.pop()!;
  for (const line of lines) out.push(sign, withReturn(line, returns), '\n');
  if (unended !== '') out.push(sign, withReturn(unended, returns), '\n\\ No newline at end of file\n');
}

/** UTF-8 keeps its byte-order mark: the diff must yield it again. Damaged characters never swallow a line feed. */
function utf8Lines(bytes: Buffer, from: number, to: number): string[] {
  return bytes.toString('utf8', from, to).split('\n');
}

function decodedLines({ bytes, encoding, feed }: Side, from: number, to: number): string[] {
  const lines: string[] = [];
  let at = from;
  for (let next = nextLine(bytes, at, feed); at < to; at = next, next = nextLine(bytes, at, feed)) {
    const ended = bytes.subarray(next - feed.length, next).equals(feed);
    lines.push(decode(bytes.subarray(at, ended ? next - feed.length : next), encoding));
    if (ended && next === to) lines.push('');
  }
  return lines;
}

function withReturn(line: string, returns: Returns): string {
  if (returns === 'raw' || !line.endsWith('\r')) return line;
  return line.slice(0, -1) + (returns === 'shown' ? '␍' : '');
}

/** Whether the replaced lines and the new ones don't all end alike. */
function changesEnds(sides: TextSides, { before, after }: LineEdit): boolean {
  const old = returnsIn(sides.before, before, sides.feed);
  const now = returnsIn(sides.after, after, sides.afterFeed);
  return old.some && now.some
    ? !(old.all && now.all)
    : old.some !== now.some && before.end > before.line && after.end > after.line;
}

function returnsIn(bytes: Buffer, { from, to }: LineRange, feed: Buffer): { some: boolean; all: boolean } {
  let some = false;
  let all = true;
  for (let at = from; at < to; at = nextLine(bytes, at, feed)) {
    const end = nextLine(bytes, at, feed) - feed.length;
    const has = bytes[end - feed.length] === 0x0d || (feed.length > 1 && bytes[end - 1] === 0x0d);
    some ||= has;
    all &&= has;
  }
  return { some, all };
}
