/** Runs work on the same files one after the other, in the order it was asked for; work on different files runs at once. */
export interface FileQueue {
  run<T>(files: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createFileQueue(): FileQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(files, work) {
      const keys = [...new Set(files)];
      const before = Promise.allSettled(keys.map((key) => tails.get(key)));
      const mine = before.then(work);
      const tail = mine.catch(() => undefined);
      for (const key of keys) tails.set(key, tail);
      try {
        return await mine;
      } finally {
        for (const key of keys) if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
