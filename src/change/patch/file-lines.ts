import type { Eol } from './model.ts';

/**
 * A file's bytes as lines. Nothing is decoded: a patch's text is encoded instead, so that what compares equal is equal byte
 * for byte, and what a patch does not touch can be copied as it is.
 */
export interface FileLines {
  readonly bytes: Buffer;
  readonly count: number;
  /** Offset of line `index` (from 0); `start(count)` is the size. The BOM belongs to no line: line 0 starts behind it. */
  start(index: number): number;
  /** Offset of the line's end-of-line, where its text ends. */
  textEnd(index: number): number;
  eol(index: number): Eol;
  /** Bytes of the byte order mark in front. */
  readonly bom: number;
}

/** How wide the file's code units are, in which order, and how long its byte order mark is. */
export interface Units {
  readonly width: 1 | 2 | 4;
  readonly bigEndian: boolean;
  readonly bom: number;
}

export function fileLines(bytes: Buffer, units: Units): FileLines {
  const { width, bom } = units;
  const starts = lineStarts(bytes, units);
  const count = starts.length - 1;
  const unit = (at: number) => readUnit(bytes, at, units);

  const eol = (index: number): Eol => {
    const end = starts[index + 1]!;
    if (end - starts[index]! < width || unit(end - width) !== 0x0a) return '';
    return end - starts[index]! >= 2 * width && unit(end - 2 * width) === 0x0d ? '\r\n' : '\n';
  };
  return {
    bytes,
    count,
    bom,
    start: (index) => starts[index]!,
    textEnd: (index) => starts[index + 1]! - eol(index).length * width,
    eol,
  };
}

function lineStarts(bytes: Buffer, units: Units): Uint32Array {
  let starts = new Uint32Array(Math.max(64, bytes.length >> 5));
  starts[0] = units.bom;
  let count = 1;
  for (let at = nextLine(bytes, units.bom, units); at >= 0; at = nextLine(bytes, at, units)) {
    if (count >= starts.length - 1) starts = widened(starts);
    starts[count] = at;
    count += 1;
  }
  if (starts[count - 1]! < bytes.length) {
    starts[count] = bytes.length;
    count += 1;
  }
  return starts.subarray(0, count);
}

/** The offset behind the next line feed from `from` on, or -1. */
function nextLine(bytes: Buffer, from: number, units: Units): number {
  const { width } = units;
  if (width === 1) return bytes.indexOf(0x0a, from) + 1 || -1;
  for (let at = from; at + width <= bytes.length; at += width) {
    if (readUnit(bytes, at, units) === 0x0a) return at + width;
  }
  return -1;
}

function widened(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(starts.length * 2);
  wider.set(starts);
  return wider;
}

function readUnit(bytes: Buffer, at: number, { width, bigEndian }: Units): number {
  if (width === 1) return bytes[at]!;
  if (width === 2) return bigEndian ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at);
  return bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
}
