import type { ParsedScript, Word, WordPart } from 'unbash';
import { expandBraceWord } from './brace.ts';
import { isBare, type Listing, listingOf } from './listing.ts';
import { loopWords, onlyPart } from './loop-word.ts';
import { mayBe } from './may-be.ts';
import { type GlobPiece, type OpenWord, type Scope, type ShellWord, textOf } from './word.ts';

/** Reads a word that may stand for several, by braces. */
export function readWords(word: Word, scope: Scope): readonly ShellWord[] {
  const words = word.parts === undefined ? undefined : expandBraceWord(word, word.parts);
  return words === undefined
    ? [readWord(word, scope)]
    : words.map((one) => ({ ...readWord(one, scope), raw: one.text }));
}

export function readWord(word: Word, scope: Scope): ShellWord {
  const raw = word.text;
  if (word.parts === undefined) return plainTilde(raw, word.value, scope);
  const pieces: GlobPiece[] = [];
  for (const part of word.parts) {
    const read = readPart(part, scope, false);
    if (read === undefined) {
      const prefix = part.type === 'ProcessSubstitution' && pieces.length === 0 ? pipeEnd : textOf(pieces);
      return { kind: 'open', raw, prefix, may: mayBe(word.parts, scope), ...certainly(word.parts, scope) };
    }
    pieces.push(...read);
  }
  if (pieces.every((piece) => piece.type === 'text')) return plainTilde(raw, textOf(pieces), scope);
  return raw.startsWith('~') ? { kind: 'open', raw, prefix: '' } : { kind: 'glob', raw, pieces };
}

/** What is certain of an open word all the same. */
function certainly(parts: readonly WordPart[], scope: Scope): Pick<OpenWord, 'all' | 'below'> {
  const all = loopWords(parts, scope);
  if (all !== undefined) return { all };
  const part = onlyPart(parts);
  const below = part?.type === 'CommandExpansion' ? listedBy(part.script, scope) : undefined;
  return below === undefined ? {} : { below: { ...below, split: true } };
}

/** `$(find src -name '*.ts' | head)`: one pipeline that prints names of files. */
function listedBy(script: ParsedScript | undefined, scope: Scope): Listing | undefined {
  const [statement, another] = script?.commands ?? [];
  if (statement === undefined || another !== undefined || script?.errors?.length) return undefined;
  const { command, background } = statement;
  const nodes = command.type === 'Pipeline' && !command.operators.includes('|&') ? command.commands : [command];
  if (background || !nodes.every(isBare)) return undefined;
  return listingOf(
    nodes.map(({ name, args }) => {
      const words = [...(name === undefined ? [] : [name]), ...args].map((arg) =>
        arg.type === 'Word' ? readWords(arg, scope) : [],
      );
      return words.flat();
    }),
  );
}

/** What the shell puts in for `<(…)` begins like this: one word, and no option. */
const pipeEnd = '/dev/fd/63';

function plainTilde(raw: string, value: string, { home, folder }: Scope): ShellWord {
  // A shell cuts the word there; what is left is not worth guessing.
  if (value.includes('\0')) return { kind: 'open', raw, prefix: '' };
  if (!raw.startsWith('~')) return { kind: 'plain', raw, value };
  const rest = value.slice(1);
  if (rest === '' || rest.startsWith('/')) return { kind: 'plain', raw, value: home + rest };
  if (folder !== undefined && /^\+(?:\/|$)/.test(rest)) return { kind: 'plain', raw, value: folder + rest.slice(1) };
  return { kind: 'open', raw, prefix: '' };
}

function readPart(part: WordPart, scope: Scope, quoted: boolean): readonly GlobPiece[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ type: 'text', text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.map((inner) => readPart(inner, scope, true));
      return inner.some((pieces) => pieces === undefined) ? undefined : inner.flatMap((pieces) => pieces ?? []);
    }
    case 'Glob':
      if (part.kind === 'star') return [{ type: 'star' }];
      if (part.kind === 'question') return [{ type: 'one' }];
      return part.parts.every((inner) => inner.type === 'Literal') ? [{ type: 'set', text: part.text }] : undefined;
    case 'SimpleExpansion':
      return knownFolder(part.text.slice(1), scope, quoted);
    case 'ParameterExpansion':
      return part.text === `\${${part.parameter}}` ? knownFolder(part.parameter, scope, quoted) : undefined;
    default:
      return undefined;
  }
}

/** `$HOME` and `$PWD`; unquoted they stay one word only without blanks and wildcards. */
function knownFolder(name: string, { home, folder }: Scope, quoted: boolean): readonly GlobPiece[] | undefined {
  const text = name === 'HOME' ? home : name === 'PWD' ? folder : undefined;
  return text === undefined || (!quoted && /[\s*?[\]\\]/.test(text)) ? undefined : [{ type: 'text', text }];
}
