import type { Hit } from './search-rows.ts';

/** A line near a hit. */
export interface NearLine {
  readonly line: number;
  readonly bytes: Buffer;
}

/** Lines further away than this many bytes are not shown as context. */
const reach = 16 * 1024;

/**
 * The `count` lines before and after a hit, without line ends. Reads a bounded piece around it, whatever the file's size.
 *
 * @param start where the text begins, behind a byte-order mark
 */
export function linesAround(
  read: (at: number, length: number) => Buffer,
  start: number,
  hit: Hit,
  count: number,
): NearLine[] {
  const from = Math.max(start, hit.offset - reach);
  const before = split(read(from, hit.offset - from));
  // The piece ends with the line end in front of the hit; its first line is whole only at the start of the text.
  before.pop();
  if (from > start) before.shift();
  const piece = read(hit.offset, reach);
  const after = split(piece).slice(1);
  if (piece.length === reach || after.at(-1)?.length === 0) after.pop();
  const earlier = before.slice(-count);
  return [
    ...earlier.map((bytes, at) => ({ line: hit.line - earlier.length + at, bytes })),
    ...after.slice(0, count).map((bytes, at) => ({ line: hit.line + 1 + at, bytes })),
  ];
}

function split(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let at = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
    lines.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return [...lines, bytes.subarray(at)];
}
