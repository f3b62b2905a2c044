import { readSync } from 'node:fs';

/** An open file as pieces. What was read last is held, so that going on in it reads nothing. */
export interface Pieces {
  /** The bytes from `position` on, empty at the end of the file; they last until the next call. */
  at(position: number): Buffer;
  /** Gives the memory back. */
  release(): void;
}

const pieceBytes = 256 * 1024;
/** A short file, or a few lines of a long one, need no more. */
export const firstPieceBytes = 64 * 1024;

/** Fresh memory costs more than reading into it. */
let spare: Buffer | undefined;

/** Pieces end where the file ends or after whole code units, as long as `at` is asked for whole units. */
export function openPieces(fd: number): Pieces {
  const buffer = spare ?? Buffer.allocUnsafeSlow(pieceBytes);
  spare = undefined;
  let held = buffer.subarray(0, 0);
  let start = 0;
  let size = firstPieceBytes;
  return {
    at(position) {
      if (position < start || position >= start + held.length) {
        held = fill(fd, buffer, size, position);
        start = position;
        size = pieceBytes;
      }
      return held.subarray(position - start);
    },
    release() {
      spare = buffer;
    },
  };
}

/** Reads until the piece is full or the file ends, so that code units are never cut. */
function fill(fd: number, buffer: Buffer, size: number, position: number): Buffer {
  let length = 0;
  while (length < size) {
    const read = readSync(fd, buffer, length, size - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
