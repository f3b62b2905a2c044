import type { Word, WordPart } from 'unbash';
import { type GlobPiece, plainWord, type Scope, type ShellWord } from './word.ts';

/** One way to read a part, as pieces of a word. */
type Reading = readonly GlobPiece[];

const most = 32;

/**
 * What an open word is likely to be: variables have the values that the line gives them (or none), a substitution prints
 * one of its own words. Good for refusing: that a word is nothing of this proves nothing.
 */
export function mayBe(parts: readonly WordPart[], scope: Scope): readonly ShellWord[] {
  const texts = new Map(readingsOf(parts, scope, false).map((pieces) => [JSON.stringify(pieces), wordOf(pieces)]));
  return [...texts.values()].filter((word) => word.kind !== 'plain' || word.value !== '');
}

function readingsOf(parts: readonly WordPart[], scope: Scope, quoted: boolean): readonly Reading[] {
  let readings: readonly Reading[] = [[]];
  for (const part of parts) {
    const next = readPart(part, scope, quoted);
    readings = readings.flatMap((before) => next.map((pieces) => [...before, ...pieces])).slice(0, most);
  }
  return readings;
}

function readPart(part: WordPart, scope: Scope, quoted: boolean): readonly Reading[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [text(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return readingsOf(part.parts, scope, true);
    case 'Glob':
      return [globPieces(part.text)];
    case 'SimpleExpansion':
      return valuesOf(part.text.slice(1), scope, quoted);
    case 'ParameterExpansion': {
      const values = valuesOf(part.parameter, scope, quoted);
      return part.operation?.type === 'Default'
        ? [...values, ...ofOperand(part.operation.operand, scope, quoted)]
        : values;
    }
    case 'CommandExpansion':
    case 'BraceExpansion':
    case 'ProcessSubstitution':
      return tokens(part.text, part.type === 'BraceExpansion' ? /[{},]+/ : /[\s$()`'"|;&]+/);
    default:
      return [[]];
  }
}

function ofOperand(word: Word, scope: Scope, quoted: boolean): readonly Reading[] {
  return word.parts === undefined ? [text(word.value)] : readingsOf(word.parts, scope, quoted);
}

function valuesOf(name: string, { home, folder, values }: Scope, quoted: boolean): readonly Reading[] {
  if (name === 'HOME') return [text(home)];
  if (name === 'PWD') return [text(folder ?? '')];
  const known = values.get(name);
  return known === undefined ? [[]] : known.flatMap((word) => piecesOf(word, quoted));
}

function piecesOf(word: ShellWord, quoted: boolean): readonly Reading[] {
  if (word.kind === 'glob') return [word.pieces];
  if (word.kind === 'open') return (word.may ?? []).flatMap((one) => piecesOf(one, quoted));
  return quoted ? [text(word.value)] : tokens(word.value, /\s+/);
}

/** Each of the words in a text, and nothing. */
function tokens(source: string, blanks: RegExp): readonly Reading[] {
  const words = source.slice(0, 1000).split(blanks).filter(Boolean);
  return [[], ...words.slice(0, most - 1).map(globPieces)];
}

function text(value: string): Reading {
  return [{ type: 'text', text: value }];
}

/** A text with wildcards, as a shell or git would widen it. */
export function globPieces(source: string): readonly GlobPiece[] {
  const pieces = source.split(/([*?]|\[[^\]/]+\])/).filter(Boolean);
  return pieces.map((piece) => {
    if (piece === '*') return { type: 'star' };
    if (piece === '?') return { type: 'one' };
    return piece.length > 2 && piece.startsWith('[') ? { type: 'set', text: piece } : { type: 'text', text: piece };
  });
}

function wordOf(pieces: Reading): ShellWord {
  const raw = pieces.map((piece) => (piece.type === 'star' ? '*' : piece.type === 'one' ? '?' : piece.text)).join('');
  return pieces.every((piece) => piece.type === 'text') ? plainWord(raw) : { kind: 'glob', raw, pieces };
}
