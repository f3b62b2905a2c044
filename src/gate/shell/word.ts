import { normalize } from 'node:path/posix';
import type { Listing } from './listing.ts';

/**
 * A word of a command line after the shell's own reading of quotes.
 *
 * - `plain`: exactly this text
 * - `glob`: file names that match; `pieces` alternates literal text and wildcards
 * - `open`: what it will be is known only when it runs (variables, substitutions); `prefix` is its fixed start, `may` what
 *   it is likely to be: enough to refuse by, never to allow by
 */
export type ShellWord =
  | { readonly kind: 'plain'; readonly raw: string; readonly value: string }
  | { readonly kind: 'glob'; readonly raw: string; readonly pieces: readonly GlobPiece[] }
  | OpenWord;

export interface OpenWord {
  readonly kind: 'open';
  readonly raw: string;
  readonly prefix: string;
  readonly may?: readonly ShellWord[];
  /** It is one of these, for certain. */
  readonly all?: readonly ShellWord[];
  /** It is nothing but names that a program lists. */
  readonly below?: Listing;
}

export type GlobPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'star' }
  | { readonly type: 'one' }
  | { readonly type: 'set'; readonly text: string };

export function plainWord(value: string): ShellWord {
  return { kind: 'plain', raw: value, value };
}

/** What the shell puts in for what a word only names. */
export interface Scope {
  /** Stands for a leading `~`; another user's home is not known. */
  readonly home: string;
  /** The folder the shell is in, when there is only one it can be. */
  readonly folder?: string;
  /** What the line sets its variables to. */
  readonly values: ReadonlyMap<string, readonly ShellWord[]>;
  /** Variables of the loops around, which have one of these values. */
  readonly loops: ReadonlyMap<string, readonly ShellWord[]>;
}

/** The literal text up to the first wildcard. */
export function textOf(pieces: readonly GlobPiece[]): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.type !== 'text') return text;
    text += piece.text;
  }
  return text;
}

/** The word's text when it is plain. */
export function plainText(word: ShellWord | undefined): string | undefined {
  return word?.kind === 'plain' ? word.value : undefined;
}

/** What a word certainly starts with. */
export function startOf(word: ShellWord): string {
  if (word.kind === 'plain') return word.value;
  return word.kind === 'open' ? word.prefix : textOf(word.pieces);
}

/** Could this word be an option? Only a fixed start that is no dash says no. */
export function maybeOption(word: ShellWord): boolean {
  if (word.kind === 'open' && word.all !== undefined) return word.all.some(maybeOption);
  const start = startOf(word);
  return start === '' ? word.kind !== 'plain' : start.startsWith('-');
}

/** A name for what is already open: the input, or the end of `<(…)`. A script of that name is no file. */
export function isOpenHandle(word: ShellWord): boolean {
  return /^(?:\/dev\/(?:stdin$|fd\/)|\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/.test(normalize(startOf(word)));
}

/** The word as rules see it: its text, quoted where it would not stand for itself. */
export function spell(word: ShellWord): string {
  if (word.kind !== 'plain') return word.raw;
  return safeText.test(word.value) ? word.value : `'${word.value.replaceAll("'", "'\\''")}'`;
}

const safeText = /^[\w@%+=:,./~^-]+$/;
