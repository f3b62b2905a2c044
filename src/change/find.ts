import { encodeForSearch } from '../base/codec.ts';
import { characterBorders } from './borders.ts';
import { scanSlowly } from './find-slow.ts';
import { endAt, endBefore, equalAt, type Haystack, indexOfUnits, normalizeEnds, type Place } from './haystack.ts';

/** Work beyond this many times the file's size means a repetitive file: the linear search takes over. */
const patience = 4;
/** V8's search stays sublinear on needles up to about this length. */
const anchorBytes = 200;

/**
 * Every occurrence of `text`, overlapping ones too, in order. Bytes must be equal, except that an end of line is
 * LF or CRLF alike. Occurrences begin and end between characters.
 *
 * The longest stretch between two line ends is looked for natively and its surroundings are compared by hand.
 */
export function* findPlaces(hay: Haystack, text: string): Generator<Place> {
  const parts = partsOf(hay, text);
  if (parts === undefined) return;
  const { bytes, width } = hay;
  const anchor = anchorOf(hay, parts);
  const isBorder = characterBorders(bytes, hay.encoding);
  let budget = bytes.length * patience + 65_536;
  let last = -1;
  for (let at = hay.encoding.bom.length; budget >= 0; at += width) {
    at = indexOfUnits(bytes, anchor.needle, at, width);
    if (at < 0) return;
    const { start, end, work } = placeAround(hay, parts, anchor, at);
    budget -= work + 32;
    if (end < 0 || !isBorder(start)) continue;
    last = start;
    yield { start, end };
  }
  yield* scanSlowly(hay, parts, last, isBorder);
}

/** The byte strings between the line ends of a text; undefined when the encoding has no bytes for one of them. */
function partsOf(hay: Haystack, text: string): readonly Buffer[] | undefined {
  const parts: Buffer[] = [];
  for (const line of normalizeEnds(text, hay.mac).split('\n')) {
    const part = encodeForSearch(line, hay.encoding);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

interface Anchor {
  readonly needle: Buffer;
  /** The part the needle begins; with nothing but line ends, the first line end itself stands for it. */
  readonly part: number;
}

function anchorOf(hay: Haystack, parts: readonly Buffer[]): Anchor {
  const part = parts.reduce((best, { length }, at) => (length > parts[best]!.length ? at : best), 0);
  if (parts[part]!.length > 0) return { needle: parts[part]!.subarray(0, anchorBytes), part };
  return { needle: hay.mac ? hay.cr : hay.lf, part: 1 };
}

interface Tried extends Place {
  /** Bytes compared. */
  readonly work: number;
}

/** The occurrence whose anchor stands at `at`; its `end` is -1 when the surroundings differ. */
function placeAround(hay: Haystack, parts: readonly Buffer[], anchor: Anchor, at: number): Tried {
  const onlyEnds = parts[anchor.part]!.length === 0;
  const from = onlyEnds ? at + anchor.needle.length : at;
  const after = matchForward(hay, parts, anchor.part, from);
  if (after.at < 0) return { start: from, end: -1, work: after.work };
  const before = matchBackward(hay, parts, anchor.part, from);
  const work = after.work + before.work;
  return before.at < 0 ? { start: from, end: -1, work } : { start: before.at, end: after.at, work };
}

interface Reached {
  /** Where the comparison ended, or -1 when it failed. */
  readonly at: number;
  readonly work: number;
}

function matchForward(hay: Haystack, parts: readonly Buffer[], first: number, from: number): Reached {
  let at = from;
  for (let i = first; i < parts.length; i += 1) {
    const size = i === first ? 0 : endAt(hay, at);
    const part = parts[i]!;
    const fits = (i === first || size > 0) && equalAt(hay.bytes, part, at + size);
    if (!fits || insideEnd(hay, at + size + part.length)) return { at: -1, work: at - from + part.length };
    at += size + part.length;
  }
  return { at, work: at - from };
}

function matchBackward(hay: Haystack, parts: readonly Buffer[], first: number, from: number): Reached {
  let at = from;
  for (let i = first - 1; i >= 0; i -= 1) {
    const size = endBefore(hay, at);
    const part = parts[i]!;
    const to = at - size - part.length;
    const fits = size > 0 && to >= hay.encoding.bom.length && equalAt(hay.bytes, part, to);
    if (!fits) return { at: -1, work: from - at + part.length };
    at = to;
  }
  return { at, work: from - at };
}

/** Whether `at` stands between the two halves of a CRLF: a carriage return there belongs to the line end. */
function insideEnd({ bytes, lf, cr, mac, width }: Haystack, at: number): boolean {
  return !mac && equalAt(bytes, lf, at) && equalAt(bytes, cr, at - width);
}
