import type { Word, WordPart } from 'unbash';

/**
 * A word of a command line after the shell's own reading of quotes.
 *
 * - `plain`: exactly this text
 * - `glob`: file names that match; `pieces` alternates literal text and wildcards
 * - `open`: what it will be is known only when it runs (variables, substitutions, braces); `prefix` is its fixed start
 */
export type ShellWord =
  | { readonly kind: 'plain'; readonly raw: string; readonly value: string }
  | { readonly kind: 'glob'; readonly raw: string; readonly pieces: readonly GlobPiece[] }
  | { readonly kind: 'open'; readonly raw: string; readonly prefix: string };

export type GlobPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'star' }
  | { readonly type: 'one' }
  | { readonly type: 'set'; readonly text: string };

export function plainWord(value: string): ShellWord {
  return { kind: 'plain', raw: value, value };
}

/** Reads a word. `home` stands for a leading `~`; another user's home is not known. */
export function readWord(word: Word, home: string): ShellWord {
  const raw = word.text;
  if (word.parts === undefined) return plainTilde(raw, word.value, home);
  const pieces: GlobPiece[] = [];
  for (const part of word.parts) {
    const read = readPart(part, home);
    if (read === undefined) return { kind: 'open', raw, prefix: textOf(pieces) };
    pieces.push(...read);
  }
  if (pieces.every((piece) => piece.type === 'text')) return plainTilde(raw, textOf(pieces), home);
  return raw.startsWith('~') ? { kind: 'open', raw, prefix: '' } : { kind: 'glob', raw, pieces };
}

function plainTilde(raw: string, value: string, home: string): ShellWord {
  // A shell cuts the word there; what is left is not worth guessing.
  if (value.includes('\0')) return { kind: 'open', raw, prefix: '' };
  if (!raw.startsWith('~')) return { kind: 'plain', raw, value };
  const rest = value.slice(1);
  if (rest !== '' && !rest.startsWith('/')) return { kind: 'open', raw, prefix: '' };
  return { kind: 'plain', raw, value: home + rest };
}

/** The literal text up to the first wildcard. */
function textOf(pieces: readonly GlobPiece[]): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.type !== 'text') return text;
    text += piece.text;
  }
  return text;
}

const homeInBraces = '${' + 'HOME}';

function readPart(part: WordPart, home: string): readonly GlobPiece[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ type: 'text', text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.map((inner) => readPart(inner, home));
      return inner.some((pieces) => pieces === undefined) ? undefined : inner.flatMap((pieces) => pieces ?? []);
    }
    case 'Glob':
      if (part.kind === 'star') return [{ type: 'star' }];
      if (part.kind === 'question') return [{ type: 'one' }];
      return part.parts.every((inner) => inner.type === 'Literal') ? [{ type: 'set', text: part.text }] : undefined;
    case 'SimpleExpansion':
      return part.text === '$HOME' ? [{ type: 'text', text: home }] : undefined;
    case 'ParameterExpansion':
      return part.text === homeInBraces ? [{ type: 'text', text: home }] : undefined;
    default:
      return undefined;
  }
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
  const start = startOf(word);
  return start === '' ? word.kind !== 'plain' : start.startsWith('-');
}

/** The word as rules see it: its text, quoted where it would not stand for itself. */
export function spell(word: ShellWord): string {
  if (word.kind !== 'plain') return word.raw;
  return safeText.test(word.value) ? word.value : `'${word.value.replaceAll("'", "'\\''")}'`;
}

const safeText = /^[\w@%+=:,./~^-]+$/;
