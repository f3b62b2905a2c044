import { encodeForSearch } from '../base/codec.ts';

/** A pattern that finds the same text in files of an old encoding. */
export interface LegacyPattern {
  /** A regular expression on bytes. */
  readonly pattern: string;
  /** The characters that are not ASCII, in either case: a line read in the right encoding holds one of them. */
  readonly characters: ReadonlySet<string>;
}

const encodings = ['Windows-1252', 'Shift_JIS'].map((name) => ({ name, bom: Buffer.alloc(0), certain: false }));

/**
 * The pattern with each character that is not ASCII in its Windows-1252 and Shift-JIS bytes. Undefined when it has none,
 * or has one that neither encoding holds, or has one where bytes can't stand for it: in a class or a group's name.
 */
export function legacyPattern(pattern: string, options: LegacyOptions): LegacyPattern | undefined {
  if (isAscii(pattern)) return undefined;
  const characters = new Set<string>();
  const parts: string[] = [];
  for (const { text, bare } of options.literal ? literalParts(pattern) : regexParts(pattern)) {
    if (isAscii(text)) parts.push(text);
    else {
      const cases = casesOf(text, options.ignoreCase);
      const bytes = bare ? inOldBytes(cases) : undefined;
      if (bytes === undefined) return undefined;
      parts.push(bytes);
      for (const one of cases) characters.add(one);
    }
  }
  return { pattern: parts.join(''), characters };
}

export interface LegacyOptions {
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** A character of a pattern, with a backslash before it if it has one; `bare` when it stands for itself wherever it is. */
interface Part {
  readonly text: string;
  readonly bare: boolean;
}

function literalParts(pattern: string): Part[] {
  return [...pattern].map((one) => ({ text: isAscii(one) && /\W/.test(one) ? `\\${one}` : one, bare: true }));
}

function regexParts(pattern: string): Part[] {
  const parts: Part[] = [];
  let inside: 'class' | 'name' | undefined;
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    let text = characters[at]!;
    if (text === '\\' && at + 1 < characters.length) {
      at += 1;
      text += characters[at]!;
    } else if (inside === undefined && text === '[') inside = 'class';
    else if (
      inside === undefined &&
      text === '<' &&
      /\(\?P?$/.test(characters.slice(Math.max(0, at - 3), at).join(''))
    ) {
      inside = 'name';
    } else if (text === (inside === 'class' ? ']' : '>')) inside = undefined;
    parts.push({ text, bare: inside === undefined && !text.startsWith('\\') });
  }
  return parts;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function inOldBytes(characters: readonly string[]): string | undefined {
  const spellings = new Set<string>();
  for (const one of characters) {
    for (const encoding of encodings) {
      const bytes = encodeForSearch(one, encoding);
      if (bytes !== undefined)
        spellings.add([...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''));
    }
  }
  return spellings.size === 0 ? undefined : `(?:${[...spellings].map((bytes) => `(?-u:${bytes})`).join('|')})`;
}

/** The engine folds characters, not bytes. */
function casesOf(character: string, ignoreCase: boolean): string[] {
  if (!ignoreCase) return [character];
  return [character, character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1);
}
