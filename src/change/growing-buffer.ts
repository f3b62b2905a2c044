/** Millions of short pieces in one buffer: an array of slices would weigh more than the file they come from. */
export interface GrowingBuffer {
  push(from: Buffer, start: number, end: number): void;
  size(): number;
  bytes(): Buffer;
}

export function growingBuffer(expected: number): GrowingBuffer {
  let buffer = Buffer.allocUnsafe(expected + 1024);
  let size = 0;
  return {
    push(from, start, end) {
      if (size + end - start > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * (size + end - start));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      from.copy(buffer, size, start, end);
      size += end - start;
    },
    size: () => size,
    bytes: () => buffer.subarray(0, size),
  };
}
