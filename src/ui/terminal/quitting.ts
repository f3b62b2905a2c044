/** Quitting at once where nothing is lost, else at the second time. */
export interface Quitting {
  /** @param lost what would be lost; undefined: nothing */
  ask(lost: string | undefined): void;
  /** What to tell at the bottom, until another key comes: as long as it stands there, asking again quits. */
  hint(): string;
  forget(): void;
}

export function createQuitting(quit: () => void): Quitting {
  let hint = '';
  return {
    ask(lost) {
      if (lost === undefined || hint !== '') return quit();
      hint = `again to quit; ${lost} would be lost`;
    },
    hint: () => hint,
    forget() {
      hint = '';
    },
  };
}
