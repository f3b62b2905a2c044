import type { Eol } from '../base/eol.ts';
import { endAt, type Haystack, indexOfUnits, normalizeEnds, type Place } from './haystack.ts';

/** Gives the lines of a replacement their ends. Ask in rising order of places. */
export type EndFitter = (place: Place) => string;

/**
 * New lines end as the lines they replace or stand among: an edit never brings a second kind of line end into a file.
 *
 * Lines that the old and the new text share at their beginning and end keep each its own end. Only where a file has no
 * line end at all does the new text's own stand.
 */
export function endFitter(hay: Haystack, oldText: string, newText: string): EndFitter {
  const lines = normalizeEnds(newText, hay.mac).split('\n');
  if (lines.length === 1) return () => newText;
  if (hay.mac) return () => lines.join('\r');
  const oldLines = normalizeEnds(oldText, false).split('\n');
  const neighbour = neighbourFinder(hay);
  return (place) => {
    const ends = oldLines.length === 1 ? [] : endsWithin(hay, place);
    const only = ends.length > 0 && ends.every((end) => end === ends[0]) ? ends[0] : undefined;
    if (only !== undefined) return lines.join(only);
    const around = neighbour(place);
    if (ends.length === 0) return around === undefined ? newText : lines.join(around);
    return joinMixed(lines, oldLines, ends);
  };
}

/** Lines with the ends of a place whose lines end in different ways. */
function joinMixed(lines: readonly string[], oldLines: readonly string[], ends: readonly Eol[]): string {
  const most = Math.min(lines.length, oldLines.length) - 1;
  const head = countWhile(most, (i) => lines[i] === oldLines[i]);
  const tail = countWhile(most - head, (i) => lines.at(-1 - i) === oldLines.at(-1 - i));
  const last = lines.length - 1;
  const middle = ends.length - tail;
  return lines
    .map((line, i) => {
      if (i === last) return line;
      if (i >= last - tail) return line + ends[ends.length - (last - i)]!;
      return line + ends[i < middle ? i : Math.max(middle - 1, 0)]!;
    })
    .join('');
}

function countWhile(most: number, holds: (i: number) => boolean): number {
  let count = 0;
  while (count < most && holds(count)) count += 1;
  return count;
}

function endsWithin(hay: Haystack, { start, end }: Place): Eol[] {
  const ends: Eol[] = [];
  for (let at = start; at < end; ) {
    const size = endAt(hay, at);
    if (size > 0) ends.push(size > hay.width ? '\r\n' : '\n');
    at += size > 0 ? size : hay.width;
  }
  return ends;
}

/** The end of the line that a place lies in, or of the file's last line; the search never walks a stretch twice. */
function neighbourFinder(hay: Haystack): (place: Place) => Eol | undefined {
  const { bytes, lf, width } = hay;
  let next = -1;
  let exhausted = false;
  const lastFeed = once(() => lastIndexOfUnits(bytes, lf, width));
  return ({ end }) => {
    if (!exhausted && next < end) {
      next = indexOfUnits(bytes, lf, end, width);
      exhausted = next < 0;
    }
    const feed = exhausted ? lastFeed() : next;
    return feed < 0 ? undefined : endAt(hay, feed - width) > width ? '\r\n' : '\n';
  };
}

function lastIndexOfUnits(bytes: Buffer, needle: Buffer, width: number): number {
  let at = bytes.lastIndexOf(needle);
  while (at > 0 && at % width !== 0) at = bytes.lastIndexOf(needle, at - 1);
  return at % width === 0 ? at : -1;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
