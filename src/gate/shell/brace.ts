import type { Word, WordPart } from 'unbash';
import { expandBraces } from '../../base/braces.ts';

const mostWords = 100;

/**
 * The words that a word with braces stands for, as bash writes them out before anything else: `.e{n,m}v` is `.env` and
 * `.emv`. Undefined when it has none, or ones that are not plain enough to be sure of.
 */
export function expandBraceWord(word: Word, parts: readonly WordPart[]): readonly Word[] | undefined {
  if (!parts.some((part) => part.type === 'BraceExpansion')) return undefined;
  let words: (readonly WordPart[])[] = [[]];
  for (const part of parts) {
    const alternatives = part.type === 'BraceExpansion' ? literals(part.text) : [part];
    if (alternatives === undefined || words.length * alternatives.length > mostWords) return undefined;
    words = words.flatMap((before) => alternatives.map((next) => [...before, next]));
  }
  const { pos, end } = word;
  return words.map((parts) => {
    const text = parts.map((part) => part.text).join('');
    return { type: 'Word', text, value: text, pos, end, parts };
  });
}

function literals(text: string): readonly WordPart[] | undefined {
  const texts = /^[\w./,{}@%+=:^-]+$/.test(text) ? (sequence(text) ?? expandBraces(text)) : undefined;
  // Two dots make a sequence, which only the plain one is taken for.
  if (texts === undefined || texts.some((one) => /[{}]|^\.\.$/.test(one))) return undefined;
  return texts.map((value) => ({ type: 'Literal', value, text: value, pos: 0, end: 0 }));
}

/** `{1..5}` */
function sequence(text: string): readonly string[] | undefined {
  const [, from, to] = /^\{(\d{1,4})\.\.(\d{1,4})\}$/.exec(text) ?? [];
  if (from === undefined || to === undefined || /^0\d/.test(from + to)) return undefined;
  const step = Number(from) <= Number(to) ? 1 : -1;
  const count = Math.abs(Number(to) - Number(from)) + 1;
  return count > mostWords ? undefined : Array.from({ length: count }, (_, at) => String(Number(from) + at * step));
}
