import type { Cursor } from './screen.ts';

/** Something that takes the place of the input until it is answered. */
export interface Dialog {
  /** Lines of at most `width` columns, at most `height` of them. */
  render(width: number, height: number): { readonly lines: readonly string[]; readonly cursor?: Cursor };
  key(sequence: string): void;
  /** The turn or the program ends: whoever waits gets the answer of nobody. */
  cancel(): void;
}
