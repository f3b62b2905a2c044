import { readAt } from './read-at.ts';

/** Bytes that are fetched at once. */
const windowBytes = 64 * 1024;

/**
 * `readAt` for many pieces of one open file that lie near each other: what was fetched is kept, one window at a time, so
 * that pieces in order cost a read for each 64 KB and not one each. A piece is good until the file is closed.
 */
export function readWindow(fd: number): (position: number, length: number) => Buffer {
  let start = 0;
  let end = 0;
  let window: Buffer = Buffer.alloc(0);
  let atFileEnd = false;
  return (position, length) => {
    const isHeld = position >= start && (position + length <= end || (atFileEnd && position <= end));
    if (!isHeld) {
      const wanted = Math.max(windowBytes, length);
      window = readAt(fd, position, wanted);
      start = position;
      end = position + window.length;
      atFileEnd = window.length < wanted;
    }
    return window.subarray(position - start, position - start + length);
  };
}
