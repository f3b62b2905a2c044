export type WideName = 'UTF-16LE' | 'UTF-16BE' | 'UTF-32LE' | 'UTF-32BE';

const names: readonly WideName[] = ['UTF-32LE', 'UTF-32BE', 'UTF-16LE', 'UTF-16BE'];

/**
 * Recognises UTF-16 and UTF-32 text without a byte-order mark, which looks binary because ASCII has NULs in it.
 *
 * Every unit of the window must be text: assigned, no control but white space, surrogates paired, no U+0000. Real
 * binaries fail at their first zero field; strings that end in NUL fail because their letters pair up into "Chinese".
 */
export function looksWide(bytes: Buffer, window: number): WideName | undefined {
  return names.find((name) => {
    const width = name.startsWith('UTF-16') ? 2 : 4;
    if (bytes.length % width !== 0 || bytes.length < 2 * width) return false;
    return isText(codePoints(bytes.subarray(0, window - (window % width)), name), width);
  });
}

interface Units {
  readonly points: readonly number[];
  /** Units whose two bytes are both printable ASCII: `he` read as one Chinese character. */
  readonly pairs: number;
}

function isText({ points, pairs }: Units, width: number): boolean {
  let ascii = 0;
  for (const point of points) {
    if (!isTextPoint(point)) return false;
    if (point < 0x80) ascii += 1;
  }
  const others = points.length - ascii;
  if (width === 4) return ascii * 2 >= points.length;
  return ascii > 0 && ascii * 32 >= points.length && pairs * 2 <= others;
}

const assigned = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cf}]$/u;

function isTextPoint(point: number): boolean {
  if (point < 0x80) return (point >= 0x20 && point !== 0x7f) || (point >= 9 && point <= 13);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return false;
  return assigned.test(String.fromCodePoint(point));
}

function codePoints(bytes: Buffer, name: WideName): Units {
  const points: number[] = [];
  let pairs = 0;
  const width = name.startsWith('UTF-16') ? 2 : 4;
  const read = reader(bytes, name);
  for (let at = 0; at < bytes.length; at += width) {
    const unit = read(at);
    const low = width === 2 && (unit & 0xfc00) === 0xd800 && at + 2 < bytes.length ? read(at + 2) : 0;
    if ((low & 0xfc00) === 0xdc00) {
      points.push(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff));
      at += 2;
      continue;
    }
    // A pair cut by the window's end proves nothing.
    if (width === 2 && (unit & 0xfc00) === 0xd800 && at + 2 >= bytes.length) break;
    if (width === 2 && isPrintable(unit >> 8) && isPrintable(unit & 0xff)) pairs += 1;
    points.push(unit);
  }
  return { points, pairs };
}

function reader(bytes: Buffer, name: WideName): (at: number) => number {
  switch (name) {
    case 'UTF-16LE':
      return (at) => bytes.readUInt16LE(at);
    case 'UTF-16BE':
      return (at) => bytes.readUInt16BE(at);
    case 'UTF-32LE':
      return (at) => bytes.readUInt32LE(at);
    case 'UTF-32BE':
      return (at) => bytes.readUInt32BE(at);
  }
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e;
}
