import { readSync } from 'node:fs';

/** The bytes of an open file from `position` on: `length` of them, or fewer where it ends. */
export function readAt(fd: number, position: number, length: number): Buffer {
  // Only what was read of it is handed out.
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
