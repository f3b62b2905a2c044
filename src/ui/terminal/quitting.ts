/** Quitting at once where nothing is lost, else at the second time. */
export interface Quitting {
  /** @param lost what would be lost; undefined: nothing */
  ask(lost: string | undefined): void;
  /** What to tell at the bottom, until another key comes. */
  hint(): string;
  forget(): void;
}

/** How long a second time counts as the second of two, in milliseconds. */
const twiceMs = 3000;

export function createQuitting(quit: () => void, now: () => number): Quitting {
  let asked = Number.NEGATIVE_INFINITY;
  let hint = '';
  return {
    ask(lost) {
      if (lost === undefined || now() - asked < twiceMs) return quit();
      asked = now();
      hint = `again to quit; ${lost} would be lost`;
    },
    hint: () => hint,
    forget() {
      hint = '';
    },
  };
}
