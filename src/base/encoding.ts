import { isUtf8 } from 'node:buffer';
import { guessLegacy, sampleOf } from './encoding-guess.ts';
import { looksWide } from './encoding-wide.ts';

/** How a file's bytes stand for text. */
export interface Encoding {
  /** `UTF-8`, `UTF-16LE`, `UTF-16BE`, `UTF-32LE`, `UTF-32BE`, or a legacy name such as `Windows-1252` or `Shift_JIS`. */
  readonly name: string;
  /** The byte-order mark in front, empty when there is none. */
  readonly bom: Buffer;
  /** False when the name is a guess: a mark or valid bytes prove an encoding, statistics don't. */
  readonly certain: boolean;
}

const noBom = Buffer.alloc(0);

export const utf8: Encoding = { name: 'UTF-8', bom: noBom, certain: true };

/** Longest first: UTF-32LE's mark begins with UTF-16LE's. */
const marks: readonly { readonly name: string; readonly bom: Buffer }[] = [
  { name: 'UTF-32LE', bom: Buffer.from([0xff, 0xfe, 0, 0]) },
  { name: 'UTF-32BE', bom: Buffer.from([0, 0, 0xfe, 0xff]) },
  { name: 'UTF-8', bom: Buffer.from([0xef, 0xbb, 0xbf]) },
  { name: 'UTF-16LE', bom: Buffer.from([0xff, 0xfe]) },
  { name: 'UTF-16BE', bom: Buffer.from([0xfe, 0xff]) },
];

const headBytes = 8192;

/** Names the encoding of a whole file. Never fails: what nothing fits is a guessed `Windows-1252`, which holds any byte. */
export function detectEncoding(bytes: Buffer): Encoding {
  const marked = markOf(bytes);
  if (marked !== undefined) return marked;
  const wide = hasNul(bytes, headBytes) ? looksWide(bytes, headBytes) : undefined;
  if (wide !== undefined) return { name: wide, bom: noBom, certain: true };
  return isUtf8(bytes) ? utf8 : guess(bytes);
}

/**
 * Whether bytes are not text: a NUL in the first `window` bytes, unless they are UTF-16 or UTF-32.
 *
 * @param window bytes looked at; each dialect's document names its own (8192 or 512).
 */
export function isBinary(bytes: Buffer, window = headBytes): boolean {
  if (!hasNul(bytes, window)) return false;
  const marked = markOf(bytes);
  const width = marked === undefined ? 1 : unitWidth(marked);
  if (marked !== undefined && width > 1) return hasNulUnit(bytes.subarray(marked.bom.length, window), width);
  return looksWide(bytes, window) === undefined;
}

/** The bytes of one code unit: 2 for UTF-16, 4 for UTF-32, otherwise 1. */
export function unitWidth(encoding: Encoding): 1 | 2 | 4 {
  if (encoding.name.startsWith('UTF-16')) return 2;
  return encoding.name.startsWith('UTF-32') ? 4 : 1;
}

function markOf(bytes: Buffer): Encoding | undefined {
  for (const { name, bom } of marks) {
    const fits = bytes.length >= bom.length && bytes.subarray(0, bom.length).equals(bom);
    if (fits && !(name === 'UTF-32LE' && !isUtf32(bytes))) return { name, bom, certain: true };
  }
  return undefined;
}

/** FF FE 00 00 is also UTF-16LE text that begins with a NUL: only whole, small units make it UTF-32. */
function isUtf32(bytes: Buffer): boolean {
  if (bytes.length % 4 !== 0) return false;
  for (let at = 4; at < Math.min(bytes.length, headBytes); at += 4) if (bytes.readUInt32LE(at) > 0x10ffff) return false;
  return true;
}

function guess(bytes: Buffer): Encoding {
  const legacy = guessLegacy(sampleOf(bytes));
  return { name: legacy.name, bom: noBom, certain: legacy.certain };
}

function hasNul(bytes: Buffer, window: number): boolean {
  return bytes.subarray(0, window).includes(0);
}

function hasNulUnit(bytes: Buffer, width: number): boolean {
  for (let at = 0; at + width <= bytes.length; at += width) {
    let sum = 0;
    for (let i = 0; i < width; i += 1) sum |= bytes[at + i]!;
    if (sum === 0) return true;
  }
  return false;
}
