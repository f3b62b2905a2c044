import type { Encoding } from '../base/encoding.ts';

/** Bytes below this are whole characters in every double-byte encoding: a safe place to start counting from. */
const alwaysWhole = 0x30;

/**
 * Tells whether a byte offset lies between characters, for offsets asked in rising order.
 *
 * UTF-8, UTF-16 and single-byte text can't match across a border. In the East Asian encodings the second byte of a
 * character may look like a letter or like another character's first, so characters are counted from a safe place.
 */
export function characterBorders(bytes: Buffer, { name }: Encoding): (at: number) => boolean {
  const lengthAt = lengths[name];
  if (lengthAt === undefined) return () => true;
  let known = 0;
  return (at) => {
    let border = safeBefore(bytes, at, known <= at ? known : 0);
    while (border < at) border += lengthAt(bytes, border);
    known = at < border ? known : border;
    return border === at;
  };
}

/** The latest border at or before `at` that is plain to see, not before `known`. */
function safeBefore(bytes: Buffer, at: number, known: number): number {
  let border = at;
  while (border > known && bytes[border - 1]! >= alwaysWhole) border -= 1;
  return border;
}

type LengthAt = (bytes: Buffer, at: number) => number;

const lengths: Readonly<Record<string, LengthAt>> = {
  Shift_JIS: (bytes, at) => (isShiftJisLead(bytes[at]!) && isTrail(bytes[at + 1]) ? 2 : 1),
  'EUC-JP': (bytes, at) =>
    bytes[at] === 0x8f && isHigh(bytes[at + 1]) && isHigh(bytes[at + 2]) ? 3 : highPair(bytes, at),
  'EUC-KR': doubleByte,
  Big5: doubleByte,
  GB18030: (bytes, at) =>
    isLead(bytes[at]!) && isDigit(bytes[at + 1]) && isLead(bytes[at + 2] ?? 0) ? 4 : doubleByte(bytes, at),
};

function doubleByte(bytes: Buffer, at: number): number {
  return isLead(bytes[at]!) && isTrail(bytes[at + 1]) ? 2 : 1;
}

function highPair(bytes: Buffer, at: number): number {
  return isHigh(bytes[at]) && isHigh(bytes[at + 1]) ? 2 : 1;
}

function isShiftJisLead(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
}

function isLead(byte: number): boolean {
  return byte >= 0x81 && byte <= 0xfe;
}

function isTrail(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x40 && byte !== 0x7f && byte !== 0xff;
}

function isHigh(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x8e && byte !== 0xff;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
