import { readSync, type Stats } from 'node:fs';
import { ToolError } from '../base/error.ts';
import { sizeText } from '../base/size.ts';

/** The most a file may hold to be read whole or edited: 64 MB. */
export const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Reads an open file to its end. The stated size is only a hint: files of the proc file system say 0, and a file may
 * grow meanwhile. Throws `conflict` as soon as there is more than `maxBytes`.
 */
export function readWhole(fd: number, stats: Stats, given: string, maxBytes = defaultMaxBytes): Buffer {
  if (stats.size > maxBytes) throw tooLarge(given, stats.size, maxBytes);
  const bytes = readUpTo(fd, stats, maxBytes + 1);
  if (bytes.length > maxBytes) throw tooLarge(given, undefined, maxBytes);
  return bytes;
}

/** The first `most` bytes of an open file, or all of it when it is shorter. */
export function readUpTo(fd: number, stats: Stats, most: number): Buffer {
  // One byte more than stated, so that the end shows in the same read.
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(Math.max(stats.size, 4095) + 1, most));
  let length = 0;
  while (length < most) {
    if (length === buffer.length) buffer = enlarged(buffer, Math.min(buffer.length * 2, most));
    const room = buffer.length - length;
    const read = readSync(fd, buffer, length, room, length);
    length += read;
    // A regular file gives less than was asked for only at its end; one of the proc file system whenever it likes.
    if (read === 0 || (read < room && length === stats.size)) break;
  }
  return buffer.subarray(0, length);
}

function enlarged(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger);
  return larger;
}

function tooLarge(given: string, size: number | undefined, maxBytes: number): ToolError {
  const has = size === undefined ? `more than ${sizeText(maxBytes)}` : sizeText(size);
  return new ToolError(
    'conflict',
    `${given} is too large to be read whole: ${has}, at most ${sizeText(maxBytes)}. Read a part of it, or search it.`,
  );
}
