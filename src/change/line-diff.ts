import { lineTable } from './line-table.ts';
import { type Block, diffSequences } from './sequence-diff.ts';

/** Lines of a file: a byte range and the numbers (from 0) of its lines. `to` and `end` are exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly end: number;
}

/** Lines that change: what stood there, and what stands there now. One of the two may be empty. */
export interface LineEdit {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Where the differing stretch is longer than this, it is shown as replaced whole rather than compared. */
const maxCompared = 32 * 1024 * 1024;

/** How two files differ. The counts are had at once; where the lines are is found when it is asked for. */
export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  /** The lines that differ, in order. */
  edits(): readonly LineEdit[];
}

/**
 * Compares two files line by line. Lines end behind `feed` (a line feed in the files' encoding).
 *
 * Only what lies between the common beginning and the common end is looked at line by line, so one changed line in a
 * large file costs little more than comparing the bytes.
 */
export function compareFiles(before: Buffer, after: Buffer, feed: Buffer): LineDifference {
  if (before.equals(after)) return { added: 0, removed: 0, edits: () => [] };
  const head = lineStart(before, commonHead(before, after), feed);
  const tail = commonTail(before, after, head, feed);
  const a = linesOf(before, head, before.length - tail, feed);
  const b = linesOf(after, head, after.length - tail, feed);
  const blocks =
    before.length + after.length - 2 * (head + tail) > maxCompared
      ? [{ fromA: 0, toA: a.length - 1, fromB: 0, toB: b.length - 1 }]
      : compareLines(before, after, a, b);
  const edits = () => {
    const line = countFeeds(before, 0, head, feed);
    return blocks.map(({ fromA, toA, fromB, toB }) => ({
      before: { from: a[fromA]!, to: a[toA]!, line: line + fromA, end: line + toA },
      after: { from: b[fromB]!, to: b[toB]!, line: line + fromB, end: line + toB },
    }));
  };
  return {
    added: blocks.reduce((sum, { fromB, toB }) => sum + toB - fromB, 0),
    removed: blocks.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0),
    edits: once(edits),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The offset behind the line feed at or after `from`, or the end of the file. */
export function nextLine(bytes: Buffer, from: number, feed: Buffer): number {
  const at = feedFrom(bytes, from, feed);
  return at < 0 ? bytes.length : at + feed.length;
}

/** The start of the line that the byte before `at` belongs to. */
export function previousLine(bytes: Buffer, at: number, feed: Buffer): number {
  return lineStart(bytes, at - feed.length, feed);
}

/** How many bytes two files share at their beginning. */
function commonHead(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  for (let step = 65_536; at + step <= most && a.compare(b, at, at + step, at, at + step) === 0; ) at += step;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/** How many bytes of whole lines two files share at their end, none of them before `head`. */
function commonTail(a: Buffer, b: Buffer, head: number, feed: Buffer): number {
  const most = Math.min(a.length, b.length) - head;
  const step = 65_536;
  let size = 0;
  while (size + step <= most && equalTail(a, b, size, step)) size += step;
  while (size < most && a[a.length - size - 1] === b[b.length - size - 1]) size += 1;
  const startsLine = (bytes: Buffer) => lineStart(bytes, bytes.length - size, feed) === bytes.length - size;
  return startsLine(a) && startsLine(b) ? size : a.length - nextLine(a, a.length - size, feed);
}

function equalTail(a: Buffer, b: Buffer, size: number, step: number): boolean {
  const endA = a.length - size;
  const endB = b.length - size;
  return a.compare(b, endB - step, endB, endA - step, endA) === 0;
}

/** The start of the line that `at` lies in. */
function lineStart(bytes: Buffer, at: number, feed: Buffer): number {
  let found = at <= 0 ? -1 : bytes.lastIndexOf(feed, at - feed.length);
  while (found > 0 && found % feed.length !== 0) found = bytes.lastIndexOf(feed, found - 1);
  return found < 0 || at < feed.length ? 0 : found + feed.length;
}

function feedFrom(bytes: Buffer, from: number, feed: Buffer): number {
  let at = bytes.indexOf(feed, from);
  while (at >= 0 && at % feed.length !== 0) at = bytes.indexOf(feed, at + 1);
  return at;
}

function countFeeds(bytes: Buffer, from: number, to: number, feed: Buffer): number {
  let count = 0;
  if (feed.length === 1) {
    for (let at = from; at < to; at += 1) if (bytes[at] === 0x0a) count += 1;
    return count;
  }
  for (let at = feedFrom(bytes, from, feed); at >= 0 && at < to; at = feedFrom(bytes, at + feed.length, feed))
    count += 1;
  return count;
}

/** The offsets at which the lines of a stretch begin, and its end. */
function linesOf(bytes: Buffer, from: number, to: number, feed: Buffer): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = nextLine(bytes, at, feed)) starts.push(at);
  starts.push(to);
  return starts;
}

function compareLines(before: Buffer, after: Buffer, a: readonly number[], b: readonly number[]): Block[] {
  const table = lineTable(a.length + b.length);
  const numbered = (bytes: Buffer, starts: readonly number[]) => {
    const numbers = new Int32Array(starts.length - 1);
    for (let i = 0; i < numbers.length; i += 1) numbers[i] = table.number(bytes, starts[i]!, starts[i + 1]!);
    return numbers;
  };
  const left = numbered(before, a);
  const right = numbered(after, b);
  return diffSequences(left, right, table.size());
}
