import { encodeForSearch } from '../base/codec.ts';
import { type Encoding, unitWidth } from '../base/encoding.ts';

/** Byte offsets of one occurrence; `end` is behind its last byte. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The bytes searched, with what is needed to read them: unit width and how lines end. */
export interface Haystack {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly width: 1 | 2 | 4;
  readonly lf: Buffer;
  readonly cr: Buffer;
  /** True when only carriage returns end lines (classic Mac). */
  readonly mac: boolean;
}

export function haystack(bytes: Buffer, encoding: Encoding): Haystack {
  const width = unitWidth(encoding);
  const lf = encodeForSearch('\n', encoding)!;
  const cr = encodeForSearch('\r', encoding)!;
  const mac = indexOfUnits(bytes, lf, 0, width) < 0 && indexOfUnits(bytes, cr, 0, width) >= 0;
  return { bytes, encoding, width, lf, cr, mac };
}

/** `\r\n` becomes `\n`; in a classic Mac file a lone `\r` does too. What is compared is lines, not their ends. */
export function normalizeEnds(text: string, mac: boolean): string {
  return text.replace(mac ? /\r\n?/g : /\r\n/g, '\n');
}

/** The size of the line end at `at`, 0 when there is none. */
export function endAt({ bytes, lf, cr, mac, width }: Haystack, at: number): number {
  if (mac) return equalAt(bytes, cr, at) ? width : 0;
  if (equalAt(bytes, lf, at)) return width;
  return equalAt(bytes, cr, at) && equalAt(bytes, lf, at + width) ? 2 * width : 0;
}

/** The size of the line end just before `at`, 0 when there is none. */
export function endBefore({ bytes, lf, cr, mac, width }: Haystack, at: number): number {
  if (mac) return equalAt(bytes, cr, at - width) ? width : 0;
  if (!equalAt(bytes, lf, at - width)) return 0;
  return equalAt(bytes, cr, at - 2 * width) ? 2 * width : width;
}

/** As `Buffer.indexOf`, on unit borders only. */
export function indexOfUnits(bytes: Buffer, needle: Buffer, from: number, width: number): number {
  let at = bytes.indexOf(needle, from);
  while (at >= 0 && at % width !== 0) at = bytes.indexOf(needle, at + 1);
  return at;
}

export function equalAt(bytes: Buffer, part: Buffer, at: number): boolean {
  if (at < 0 || at + part.length > bytes.length) return false;
  if (part.length > 64) return bytes.compare(part, 0, part.length, at, at + part.length) === 0;
  for (let i = 0; i < part.length; i += 1) if (bytes[at + i] !== part[i]) return false;
  return true;
}
