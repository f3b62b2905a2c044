import { plainText, type ShellWord } from './word.ts';

/**
 * What a command hides inside another.
 *
 * - `words`: a command as words, some of them perhaps open
 * - `text`: text for a shell
 * - `opaque`: code that can't be read; `may` are texts it may come to, enough to refuse by
 */
export type Inner =
  | { readonly type: 'words'; readonly words: readonly ShellWord[]; readonly assigned?: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'opaque'; readonly why: string; readonly may?: readonly string[] };

/** A command that runs another one. */
export interface Wrapped {
  readonly inner: readonly Inner[];
  /** True when it does nothing by itself, so that no row needs to allow it (`timeout`, `nice`, `env`). */
  readonly transparent: boolean;
  /** Its own arguments, where they do something too (`find`, `docker run -v`). */
  readonly own?: readonly ShellWord[];
  /**
   * The row that allows it speaks for what it runs, which only rows that refuse can stop: on another machine (`remote`),
   * or written down in the project (`script`).
   */
  readonly vouches?: 'remote' | 'script';
}

/** A word that is text for a shell. */
export function textOf(word: ShellWord | undefined): Inner {
  if (word?.kind === 'plain') return { type: 'text', text: word.value };
  const may = word?.kind === 'open' ? (word.may ?? []).flatMap((one) => plainText(one) ?? []) : [];
  return { type: 'opaque', why: 'the text it runs is not fixed', may };
}

/** `eval a b` runs `a b` as one text. */
export function joined(args: readonly ShellWord[]): Inner {
  const words = plainText(args[0]) === '--' ? args.slice(1) : args;
  if (words.every((word) => word.kind === 'plain')) return { type: 'text', text: words.map(plainText).join(' ') };
  const first = words.map((word) =>
    word.kind === 'open' ? (word.may?.[0]?.raw ?? word.raw) : (plainText(word) ?? word.raw),
  );
  return { type: 'opaque', why: 'the text it runs is not fixed', may: [first.join(' ')] };
}
