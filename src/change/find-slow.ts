import { endAt, type Haystack, type Place } from './haystack.ts';

/** Stands for an end of line, whichever it is; code units are never negative. */
const lineEnd = -1;

/**
 * The linear search (Knuth, Morris, Pratt) over code units and line ends, for repetitive files on which the native one
 * would go quadratic. Yields what begins behind `after`, overlapping occurrences too.
 */
export function* scanSlowly(
  hay: Haystack,
  parts: readonly Buffer[],
  after: number,
  isBorder: (at: number) => boolean,
): Generator<Place> {
  const pattern = tokensOf(parts, hay.width);
  const fallback = fallbacksOf(pattern);
  // Where the last tokens began, as a ring: a line end has one size or the other, so lengths don't tell.
  const begun = new Float64Array(pattern.length);
  let tokens = 0;
  let matched = 0;
  for (let at = Math.max(after, hay.encoding.bom.length); at + hay.width <= hay.bytes.length; ) {
    const end = endAt(hay, at);
    const token = end > 0 ? lineEnd : unitAt(hay.bytes, at, hay.width);
    begun[tokens % begun.length] = at;
    tokens += 1;
    at += end > 0 ? end : hay.width;
    while (matched > 0 && pattern[matched] !== token) matched = fallback[matched - 1]!;
    if (pattern[matched] === token) matched += 1;
    if (matched < pattern.length) continue;
    matched = fallback[matched - 1]!;
    const start = begun[tokens % begun.length]!;
    if (start > after && isBorder(start)) yield { start, end: at };
  }
}

function tokensOf(parts: readonly Buffer[], width: number): Float64Array {
  const tokens: number[] = [];
  parts.forEach((part, i) => {
    if (i > 0) tokens.push(lineEnd);
    for (let at = 0; at < part.length; at += width) tokens.push(unitAt(part, at, width));
  });
  return Float64Array.from(tokens);
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function fallbacksOf(pattern: Float64Array): Int32Array {
  const fallback = new Int32Array(pattern.length);
  let length = 0;
  for (let i = 1; i < pattern.length; i += 1) {
    while (length > 0 && pattern[i] !== pattern[length]) length = fallback[length - 1]!;
    if (pattern[i] === pattern[length]) length += 1;
    fallback[i] = length;
  }
  return fallback;
}

function unitAt(bytes: Buffer, at: number, width: number): number {
  if (width === 1) return bytes[at]!;
  return width === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
}
