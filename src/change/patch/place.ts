import type { PatchedText } from './codec.ts';
import type { FileLines } from './file-lines.ts';
import type { Eol } from './model.ts';
import type { Wanted } from './wanted.ts';

/** Where a hunk goes, as an index of a line (from 0), or why it goes nowhere. */
export type Placement =
  | { readonly type: 'at'; readonly index: number }
  | { readonly type: 'absent' }
  | {
      readonly type: 'ambiguous';
      readonly indexes: readonly [number, number];
      readonly why: 'several' | 'tie' | 'drift';
    }
  | { readonly type: 'unbounded' };

/** Finds places for hunks in one file; remembers what it learned of the file from one hunk to the next. */
export interface Placer {
  /**
   * @param from index of the first line that is free
   * @param drift how far from its stated line the hunk before was found
   */
  place(wanted: Wanted, from: number, drift: number): Placement;
}

// Lines passed over in all searches in one file: about a second. Only a hostile patch comes near.
const maxWork = 3e8;
// What comparing the bytes of a line costs, in lines passed over.
const compareCost = 50;

/**
 * Strict: every wanted line must be there. The stated place first; if it does not fit, the nearest one that does, and two
 * equally near ones are ambiguous. A hunk without a stated line must fit in one place only. Where the hunk before was
 * found elsewhere than stated, the stated line and the one moved as far must both lead to the same place.
 */
export function createPlacer(text: PatchedText): Placer {
  const { lines } = text;
  let hashes: Int32Array | undefined;
  let left = maxWork;
  const spend = (lineCount: number) => {
    left -= lineCount;
    return left >= 0;
  };
  return {
    place(wanted, from, drift) {
      const { stated } = wanted;
      const here = stated !== undefined && stated >= from && fitsAt(lines, wanted, stated);
      if (here && drift === 0) return { type: 'at', index: stated };
      if (wanted.olds.length === 0) return placeEmpty(lines, wanted);
      if (wanted.olds.some(({ bytes }) => bytes === undefined)) return { type: 'absent' };
      hashes ??= hashLines(lines);
      const search = (target: number | undefined) => nearest(matches(lines, hashes!, wanted, from, spend), target);
      const found = search(stated);
      const moved = stated === undefined || drift === 0 ? found : search(stated + drift);
      return left < 0 ? { type: 'unbounded' } : agreed(found, moved);
    },
  };
}

function agreed(one: Placement, other: Placement): Placement {
  if (one.type !== 'at' || other.type !== 'at') return one.type === 'at' ? other : one;
  if (one.index === other.index) return one;
  return { type: 'ambiguous', indexes: [one.index, other.index], why: 'drift' };
}

/** True when every wanted line is there from line `index` on, and the file ends where the hunk says it does. */
export function fitsAt(lines: FileLines, wanted: Wanted, index: number): boolean {
  const { olds } = wanted;
  const end = index + olds.length;
  if (end > lines.count || (wanted.reachesEnd && end !== lines.count)) return false;
  // Text behind a last line that has no newline would be glued to it.
  if (olds.length === 0) return index === 0 || lines.eol(index - 1) !== '';
  for (let at = 0; at < olds.length; at += 1) if (!lineFits(lines, index + at, wanted, at)) return false;
  return true;
}

export function lineFits(lines: FileLines, index: number, wanted: Wanted, at: number): boolean {
  const old = wanted.olds[at]!;
  if (old.bytes === undefined || !endFits(lines.eol(index), old.eol, wanted.anyEnd)) return false;
  const bytes = index === 0 ? (old.bytesBehindBom ?? old.bytes) : old.bytes;
  const start = lines.start(index);
  const end = lines.textEnd(index);
  return end - start === bytes.length && bytes.compare(lines.bytes, start, end) === 0;
}

function endFits(there: Eol, wanted: Eol, anyEnd: boolean): boolean {
  return there === wanted || (anyEnd && there !== '' && wanted !== '');
}

function placeEmpty(lines: FileLines, { stated }: Wanted): Placement {
  return stated === undefined && lines.count === 0 ? { type: 'at', index: 0 } : { type: 'absent' };
}

function nearest(found: Iterable<number>, stated: number | undefined): Placement {
  let [best, tie] = [-1, -1];
  for (const index of found) {
    const distance = stated === undefined ? 0 : Math.abs(index - stated);
    const least = stated === undefined ? 0 : Math.abs(best - stated);
    if (best < 0 || distance < least) [best, tie] = [index, -1];
    else if (distance > least) break;
    else if (tie >= 0) break;
    else tie = index;
  }
  if (best < 0) return { type: 'absent' };
  if (tie < 0) return { type: 'at', index: best };
  return { type: 'ambiguous', indexes: [best, tie], why: stated === undefined ? 'several' : 'tie' };
}

/** All places where the wanted lines are, in order, by Knuth, Morris and Pratt over hashes of lines: linear whatever repeats. */
function* matches(
  lines: FileLines,
  hashes: Int32Array,
  wanted: Wanted,
  from: number,
  spend: (lineCount: number) => boolean,
): Generator<number> {
  if (!spend(lines.count - from)) return;
  const pattern = wanted.olds.map(({ bytes }) => hashBytes(bytes!, 0, bytes!.length));
  const first = wanted.olds[0]!.bytesBehindBom;
  if (from === 0 && first !== undefined && fitsAt(lines, wanted, 0)) yield 0;
  const fallback = fallbackTable(pattern);
  let matched = 0;
  for (let at = from; at < lines.count; at += 1) {
    while (matched > 0 && pattern[matched] !== hashes[at]) matched = fallback[matched - 1]!;
    if (pattern[matched] === hashes[at]) matched += 1;
    if (matched < pattern.length) continue;
    const index = at - pattern.length + 1;
    if (!spend(compareCost * pattern.length)) return;
    if (fitsAt(lines, wanted, index)) yield index;
    matched = fallback[matched - 1]!;
  }
}

function fallbackTable(pattern: readonly number[]): Int32Array {
  const table = new Int32Array(pattern.length);
  for (let at = 1, matched = 0; at < pattern.length; at += 1) {
    while (matched > 0 && pattern[matched] !== pattern[at]) matched = table[matched - 1]!;
    if (pattern[matched] === pattern[at]) matched += 1;
    table[at] = matched;
  }
  return table;
}

function hashLines(lines: FileLines): Int32Array {
  const hashes = new Int32Array(lines.count);
  for (let index = 0; index < lines.count; index += 1) {
    hashes[index] = hashBytes(lines.bytes, lines.start(index), lines.textEnd(index));
  }
  return hashes;
}

/** FNV-1a. Equal hashes are only candidates; the bytes decide. */
function hashBytes(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}
