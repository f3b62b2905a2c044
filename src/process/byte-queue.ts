/** Bytes handed from one that pushes to one that reads when it pleases. */
export interface ByteQueue {
  push(bytes: Buffer): void;
  /** No more will come. */
  end(): void;
  bytes(): AsyncGenerator<Buffer>;
}

export function byteQueue(): ByteQueue {
  const waiting: Buffer[] = [];
  let over = false;
  let wake = () => {};
  return {
    push(bytes) {
      waiting.push(bytes);
      wake();
    },
    end() {
      over = true;
      wake();
    },
    async *bytes() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (over) return;
        await new Promise<void>((go) => {
          wake = go;
        });
      }
    },
  };
}
