import type { WordPart } from 'unbash';
import { plainText, plainWord, type Scope, type ShellWord } from './word.ts';

const most = 64;

/** What a word with variables of the loops around comes to, all of it; undefined when that is not sure. */
export function loopWords(parts: readonly WordPart[], { loops }: Scope): readonly ShellWord[] | undefined {
  if (loops.size === 0) return undefined;
  const values = valuesOf(onlyPart(parts), loops);
  if (values !== undefined) return values;
  const texts = textsOf(parts, loops);
  return texts?.map(plainWord);
}

/** The one part that a word, or the quotes around it, consists of. */
export function onlyPart(parts: readonly WordPart[]): WordPart | undefined {
  const [part, another] = parts;
  if (another !== undefined) return undefined;
  return part?.type === 'DoubleQuoted' ? onlyPart(part.parts) : part;
}

function valuesOf(part: WordPart | undefined, loops: Scope['loops']): readonly ShellWord[] | undefined {
  if (part?.type === 'SimpleExpansion') return loops.get(part.text.slice(1));
  return part?.type === 'ParameterExpansion' && part.text === `\${${part.parameter}}`
    ? loops.get(part.parameter)
    : undefined;
}

function textsOf(parts: readonly WordPart[], loops: Scope['loops']): readonly string[] | undefined {
  let texts: readonly string[] = [''];
  for (const part of parts) {
    const next = textsOfPart(part, loops);
    if (next === undefined || texts.length * next.length > most) return undefined;
    texts = texts.flatMap((before) => next.map((text) => before + text));
  }
  return texts;
}

function textsOfPart(part: WordPart, loops: Scope['loops']): readonly string[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
      return textsOf(part.parts, loops);
    default: {
      const texts = valuesOf(part, loops)?.map(plainText);
      return texts?.every((text) => text !== undefined) ? texts : undefined;
    }
  }
}
