/** Text in, text out; may hold back what the next piece decides. */
export interface TextFilter {
  push(text: string): string;
  finish(): string;
}

/** Makes a fresh filter for one stream of text. */
export type Masker = () => TextFilter;

/** Changes nothing. */
export const unmasked: Masker = () => ({ push: (text) => text, finish: () => '' });

/** What stands in the place of a secret. */
export const maskText = '[masked]';
