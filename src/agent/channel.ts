/** A queue between those who report and the one who reads; anyone may put, one reads. */
export interface Channel<T> extends AsyncIterable<T> {
  put(item: T): void;
  /** No more items; those already put are still read. */
  end(): void;
}

export function createChannel<T>(): Channel<T> {
  const items: T[] = [];
  let ended = false;
  let wake = () => {};
  const news = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return {
    put(item) {
      items.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (items.length > 0) yield* items.splice(0);
        else if (ended) return;
        else await news();
      }
    },
  };
}
