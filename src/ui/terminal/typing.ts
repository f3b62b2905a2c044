/**
 * Keeps keys that were meant for the input from answering a question that came up meanwhile: a question takes keys only
 * after nobody has typed for a moment.
 */
export interface Typing {
  /** A key came, while a question is open or not. */
  key(questionOpen: boolean): void;
  /** A question came up. */
  asked(): void;
  /** True when keys go to the question. */
  settled(): boolean;
}

const quietMs = 600;

/** @param onSettled to be drawn anew: the question takes keys now */
export function createTyping(onSettled: () => void, now: () => number = Date.now): Typing {
  let lastKey = Number.NEGATIVE_INFINITY;
  let settled = true;
  let timer: NodeJS.Timeout | undefined;
  const settleLater = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      settled = true;
      onSettled();
    }, quietMs);
    timer.unref();
  };
  return {
    key(questionOpen) {
      lastKey = now();
      if (questionOpen && !settled) settleLater();
    },
    asked() {
      settled = now() - lastKey >= quietMs;
      if (!settled) settleLater();
    },
    settled: () => settled,
  };
}
