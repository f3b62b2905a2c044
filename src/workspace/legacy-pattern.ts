import { encodeForSearch } from '../base/codec.ts';
import { type RegexPart, regexParts } from './regex-parts.ts';

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
  const characters = new Set<string>();
  const parts: string[] = [];
  for (const { text, stands } of partsOf(pattern, options)) {
    if (isAscii(stands ?? text)) parts.push(text);
    else {
      const cases = casesOf(stands ?? text, options.ignoreCase);
      const bytes = stands === undefined ? undefined : inOldBytes(cases);
      if (bytes === undefined) return undefined;
      parts.push(bytes);
      for (const one of cases) characters.add(one);
    }
  }
  return characters.size === 0 ? undefined : { pattern: parts.join(''), characters };
}

export interface LegacyOptions {
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** True for a pattern that has characters beyond ASCII, written as such or as escapes. */
export function isForeign(pattern: string, options: Pick<Partial<LegacyOptions>, 'literal'>): boolean {
  return partsOf(pattern, options).some(({ text, stands }) => !isAscii(stands ?? text));
}

function partsOf(pattern: string, { literal = false }: Pick<Partial<LegacyOptions>, 'literal'>): RegexPart[] {
  return literal ? literalParts(pattern) : regexParts(pattern);
}

function literalParts(pattern: string): RegexPart[] {
  return [...pattern].map((one) => ({ text: isAscii(one) && /\W/.test(one) ? `\\${one}` : one, stands: one }));
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
