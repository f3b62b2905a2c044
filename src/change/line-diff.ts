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

/** Where the differing stretches are longer than this, they are shown as replaced whole rather than compared. */
const maxCompared = { bytes: 32 * 1024 * 1024, lines: 1_000_000 };

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
  const a: Stretch = { bytes: before, from: head, to: before.length - tail, feed };
  const b: Stretch = { bytes: after, from: head, to: after.length - tail, feed };
  const size = { a: countLines(a), b: countLines(b) };
  const isLarge = a.to - a.from + b.to - b.from > maxCompared.bytes || size.a + size.b > maxCompared.lines;
  const { blocks, starts } = isLarge ? replacedWhole(a, b, size) : compareLines(a, b, size);
  const edits = () => {
    const line = countLines({ bytes: before, from: 0, to: head, feed });
    return blocks.map(({ fromA, toA, fromB, toB }) => ({
      before: { from: starts.a(fromA), to: starts.a(toA), line: line + fromA, end: line + toA },
      after: { from: starts.b(fromB), to: starts.b(toB), line: line + fromB, end: line + toB },
    }));
  };
  return {
    added: blocks.reduce((sum, { fromB, toB }) => sum + toB - fromB, 0),
    removed: blocks.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0),
    edits: once(edits),
  };
}

/** Whole lines of a file. */
interface Stretch {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly feed: Buffer;
}

/** Numbers of lines of the two stretches. */
interface Sizes {
  readonly a: number;
  readonly b: number;
}

interface Compared {
  readonly blocks: readonly Block[];
  /** The offset at which a line of a stretch (counted from 0) begins; the one behind the last is the stretch's end. */
  readonly starts: { a(line: number): number; b(line: number): number };
}

function replacedWhole(a: Stretch, b: Stretch, size: Sizes): Compared {
  const startIn =
    ({ from, to }: Stretch) =>
    (line: number) =>
      line === 0 ? from : to;
  return {
    blocks: [{ fromA: 0, toA: size.a, fromB: 0, toB: size.b }],
    starts: { a: startIn(a), b: startIn(b) },
  };
}

function compareLines(a: Stretch, b: Stretch, size: Sizes): Compared {
  const startsA = linesOf(a, size.a);
  const startsB = linesOf(b, size.b);
  const table = lineTable(size.a + size.b);
  const numbered = ({ bytes }: Stretch, starts: Int32Array) => {
    const numbers = new Int32Array(starts.length - 1);
    for (let i = 0; i < numbers.length; i += 1) numbers[i] = table.number(bytes, starts[i]!, starts[i + 1]!);
    return numbers;
  };
  return {
    blocks: diffSequences(numbered(a, startsA), numbered(b, startsB), table.size()),
    starts: { a: (line) => startsA[line]!, b: (line) => startsB[line]! },
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

/** How many lines a stretch has; the last one may lack its line feed. */
function countLines({ bytes, from, to, feed }: Stretch): number {
  let count = 0;
  let start = from;
  for (let at = from; at < to; at += feed.length) {
    if (!isFeed(bytes, at, feed)) continue;
    count += 1;
    start = at + feed.length;
  }
  return start < to ? count + 1 : count;
}

/** The offsets at which the `count` lines of a stretch begin, and its end. */
function linesOf({ bytes, from, to, feed }: Stretch, count: number): Int32Array {
  const starts = new Int32Array(count + 1);
  starts[0] = from;
  let found = 1;
  for (let at = from; at < to && found < count; at += feed.length) {
    if (!isFeed(bytes, at, feed)) continue;
    starts[found] = at + feed.length;
    found += 1;
  }
  starts[count] = to;
  return starts;
}

function isFeed(bytes: Buffer, at: number, feed: Buffer): boolean {
  if (bytes[at] !== feed[0]) return false;
  for (let i = 1; i < feed.length; i += 1) if (bytes[at + i] !== feed[i]) return false;
  return true;
}
