/** Keeps the last bytes of a stream in bounded memory. */
export interface Ring {
  push(chunk: Buffer): void;
  /** Bytes pushed so far, kept or not. */
  readonly total: number;
  /** The kept bytes, oldest first, as pieces. */
  pieces(): readonly Buffer[];
}

const blockSize = 262_144;

/** A ring over blocks that are allocated as they fill, so a short stream costs what it holds. */
export function ring(capacity: number): Ring {
  const size = Math.min(blockSize, capacity);
  const most = Math.ceil(capacity / size) + 1;
  const blocks: Buffer[] = [];
  let used = 0;
  let total = 0;

  const next = () => {
    // The oldest block is written over rather than left to the garbage collector.
    const block = blocks.length >= most ? blocks.shift()! : Buffer.allocUnsafeSlow(size);
    blocks.push(block);
    used = 0;
  };

  return {
    get total() {
      return total;
    },
    push(chunk) {
      total += chunk.length;
      let from = Math.max(0, chunk.length - capacity);
      while (from < chunk.length) {
        if (blocks.length === 0 || used === size) next();
        const copied = chunk.copy(blocks.at(-1)!, used, from);
        used += copied;
        from += copied;
      }
    },
    pieces() {
      const held = (blocks.length - 1) * size + used;
      let skip = Math.max(0, held - capacity);
      const pieces = blocks.map((block, at) => {
        const whole = at === blocks.length - 1 ? block.subarray(0, used) : block;
        const kept = whole.subarray(Math.min(skip, whole.length));
        skip = Math.max(0, skip - whole.length);
        return kept;
      });
      return pieces.filter((piece) => piece.length > 0);
    },
  };
}
