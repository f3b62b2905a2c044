import { tryEncode, type Unencodable, unencodableText } from '../base/codec.ts';
import { detectEncoding, type Encoding } from '../base/encoding.ts';
import { endFitter } from './ends.ts';
import { findPlaces } from './find.ts';
import { growingBuffer } from './growing-buffer.ts';
import { type Haystack, haystack, normalizeEnds, type Place } from './haystack.ts';
import { lineNumbers } from './lines.ts';
import { absentHelp, ambiguousHelp } from './miss.ts';

/** One literal replacement. Without `all`, the old text must occur exactly once. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
}

/**
 * Why an edit can't be made.
 *
 * - `empty`: the old text is empty
 * - `same`: old and new text are equal
 * - `ends`: they differ in their line ends only, which an edit keeps
 * - `absent`: the old text does not occur
 * - `ambiguous`: it occurs more than once and `all` is not set
 * - `unencodable`: the file's encoding has no bytes for the new text, or is too uncertain to trust them
 * - `large`: the result would be larger than any file that is edited
 */
export type MissReason = 'empty' | 'same' | 'ends' | 'absent' | 'ambiguous' | 'unencodable' | 'large';

/** The first edit that can't be made; nothing of the batch was applied. */
export interface Miss {
  readonly ok: false;
  /** Which edit, counted from 1. */
  readonly edit: number;
  readonly reason: MissReason;
  /** How often the old text occurs, overlapping occurrences counted. */
  readonly count: number;
  /** The lines (from 1) that the first occurrences begin on. */
  readonly lines: readonly number[];
  /**
   * What would help, mostly quoting the file; may be empty. Kept apart so that a secret file's caller can leave it out.
   * For `unencodable` it is the reason itself and quotes new text only.
   */
  readonly help: string;
}

export interface Replaced {
  readonly ok: true;
  readonly bytes: Buffer;
  /** Replacements made, per edit. */
  readonly counts: readonly number[];
}

/** Files beyond this are not edited, and no edit makes one. */
export const maxEditBytes = 64 * 1024 * 1024;

/**
 * Replaces text literally. Each edit sees the result of the one before; either all are made or none.
 *
 * Bytes that no edit names stay as they are, malformed ones and the byte-order mark included. An end of line in the old
 * text matches LF and CRLF, and new lines take the end of the lines they replace. Nothing else is tolerated.
 * With `all`, occurrences are taken from the left without overlap; without it, overlapping ones count as several.
 */
export function replaceText(bytes: Buffer, edits: readonly Edit[]): Replaced | Miss {
  const encoding = detectEncoding(bytes);
  const counts: number[] = [];
  let current = bytes;
  for (const [at, edit] of edits.entries()) {
    const result = replaceOne(current, encoding, edit);
    if (!result.ok) return { ...result, edit: at + 1, help: withHistory(result, edit, bytes, current, encoding) };
    current = result.bytes;
    counts.push(result.count);
  }
  return { ok: true, bytes: current, counts };
}

type Single = { readonly ok: true; readonly bytes: Buffer; readonly count: number } | Miss;

function replaceOne(bytes: Buffer, encoding: Encoding, edit: Edit): Single {
  const oldText = withoutMark(edit.oldText, encoding);
  const newText = oldText === edit.oldText ? edit.newText : withoutMark(edit.newText, encoding);
  if (oldText === '') return miss('empty');
  if (oldText === newText) return miss('same');
  const hay = haystack(bytes, encoding);
  if (normalizeEnds(oldText, hay.mac) === normalizeEnds(newText, hay.mac)) return miss('ends');
  return edit.all === true ? replaceAll(hay, oldText, newText) : replaceUnique(hay, oldText, newText);
}

/** A byte-order mark is no text; a model that copied it along means the file's own. */
function withoutMark(text: string, { bom }: Encoding): string {
  return bom.length > 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
}

const listedPlaces = 20;

function replaceUnique(hay: Haystack, oldText: string, newText: string): Single {
  const places: Place[] = [];
  let count = 0;
  for (const place of findPlaces(hay, oldText)) {
    count += 1;
    if (count <= listedPlaces) places.push(place);
  }
  if (count === 0) return absent(hay, oldText);
  if (count > 1) return ambiguous(hay, places, count);
  const { start, end } = places[0]!;
  const inserted = tryEncode(endFitter(hay, oldText, newText)(places[0]!), hay.encoding, oldText);
  if (!Buffer.isBuffer(inserted)) return unencodable(hay, inserted);
  if (hay.bytes.length - (end - start) + inserted.length > maxEditBytes) return miss('large', { count });
  return { ok: true, count, bytes: Buffer.concat([hay.bytes.subarray(0, start), inserted, hay.bytes.subarray(end)]) };
}

function replaceAll(hay: Haystack, oldText: string, newText: string): Single {
  const withEnds = endFitter(hay, oldText, newText);
  const encoded = remember((text) => tryEncode(text, hay.encoding, oldText));
  const out = growingBuffer(hay.bytes.length);
  let done = 0;
  let count = 0;
  for (const place of findPlaces(hay, oldText)) {
    if (place.start < done) continue;
    const inserted = encoded(withEnds(place));
    if (!Buffer.isBuffer(inserted)) return unencodable(hay, inserted);
    out.push(hay.bytes, done, place.start);
    out.push(inserted, 0, inserted.length);
    if (out.size() > maxEditBytes) return miss('large', { count: count + 1 });
    done = place.end;
    count += 1;
  }
  if (count === 0) return absent(hay, oldText);
  out.push(hay.bytes, done, hay.bytes.length);
  return out.size() > maxEditBytes ? miss('large', { count }) : { ok: true, bytes: out.bytes(), count };
}

/** Replacements mostly repeat: the last one is kept. */
function remember<T>(make: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly made: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}

function absent(hay: Haystack, oldText: string): Miss {
  return miss('absent', { help: absentHelp(hay, oldText) });
}

function ambiguous(hay: Haystack, places: readonly Place[], count: number): Miss {
  const starts = places.map(({ start }) => start);
  const lines = lineNumbers(hay, starts);
  return miss('ambiguous', { count, lines, help: ambiguousHelp(lines, count) });
}

function unencodable(hay: Haystack, refused: Unencodable): Miss {
  return miss('unencodable', { count: 1, help: unencodableText(refused, hay.encoding) });
}

function miss(reason: MissReason, more: Partial<Pick<Miss, 'count' | 'lines' | 'help'>> = {}): Miss {
  return { ok: false, edit: 1, reason, count: 0, lines: [], help: '', ...more };
}

/** Text that only the file as it was before the batch holds: an earlier edit took it away. */
function withHistory(result: Miss, edit: Edit, before: Buffer, now: Buffer, encoding: Encoding): string {
  if (result.reason !== 'absent' || before === now) return result.help;
  const was = findPlaces(haystack(before, encoding), withoutMark(edit.oldText, encoding)).next();
  if (was.done === true) return result.help;
  return 'An earlier edit of this call already changed that text: each edit sees the result of the one before it.';
}
