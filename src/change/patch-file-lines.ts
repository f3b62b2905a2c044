import type { Eol } from './patch-model.ts';

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
  let count = 0;
  const push = (offset: number) => {
    if (count === starts.length) {
      const wider = new Uint32Array(count * 2);
      wider.set(starts);
      starts = wider;
    }
    starts[count] = offset;
    count += 1;
  };
  push(units.bom);
  const { width, bom } = units;
  if (width === 1) {
    for (let at = bom; at < bytes.length; at += 1) if (bytes[at] === 0x0a) push(at + 1);
  } else {
    for (let at = bom; at + width <= bytes.length; at += width) {
      if (readUnit(bytes, at, units) === 0x0a) push(at + width);
    }
  }
  if (starts[count - 1]! < bytes.length) push(bytes.length);
  return starts.subarray(0, count);
}

function readUnit(bytes: Buffer, at: number, { width, bigEndian }: Units): number {
  if (width === 1) return bytes[at]!;
  if (width === 2) return bigEndian ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at);
  return bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
}
