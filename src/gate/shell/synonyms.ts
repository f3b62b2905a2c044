import { type Vocabulary, vocabularies } from './vocabularies.ts';

const most = 12;

/**
 * The other ways to write a command that its program takes for the same: `npm i x` is `npm install x`, and `npm publ` is
 * `npm publish`. Good for refusing: a beginning of several sub-commands counts as each of them.
 */
export function otherSpellings(name: string, args: readonly string[]): readonly (readonly string[])[] {
  const vocabulary = vocabularyOf(name);
  if (vocabulary === undefined) return [];
  const known = inFull(vocabulary, args);
  if (known !== undefined) return [known];
  const [first, ...rest] = args;
  return meantBy(vocabulary, first).map((command) => inFull(vocabulary, [command, ...rest]) ?? [command, ...rest]);
}

/** Has the program more than one word for some sub-command? */
export function hasSynonyms(name: string): boolean {
  return Object.hasOwn(vocabularies, name);
}

/** The sub-command that a word certainly is: itself, what it is an alias of, or the only one that it is a beginning of. */
export function subcommandOf(name: string, word: string): string {
  const firsts = new Set(otherSpellings(name, [word]).map(([first]) => first!));
  const [only] = firsts;
  return firsts.size === 1 ? only! : word;
}

/** The pattern of a row in the words of `otherSpellings`: `npm rm *` is `npm uninstall *`. Undefined where it has them. */
export function otherPattern(pattern: string): string | undefined {
  const [, name, written, rest] = /^([\w.-]+) ([^*?]*[^*? ])(.*)$/s.exec(pattern) ?? [];
  const vocabulary = name === undefined ? undefined : vocabularyOf(name);
  const found = vocabulary === undefined ? undefined : inFull(vocabulary, written!.split(' '));
  return found === undefined ? undefined : `${name} ${found.join(' ')}${rest}`;
}

function vocabularyOf(name: string): Vocabulary | undefined {
  return hasSynonyms(name) ? vocabularies[name] : undefined;
}

/** The words with every alias at their start put in full; undefined when there is none. */
function inFull(vocabulary: Vocabulary, words: readonly string[]): readonly string[] | undefined {
  let found = withoutAlias(vocabulary, words);
  // One may stand for another: `rum test` for `run test`, and that for `test`.
  for (let times = 0; times < 4 && found !== undefined; times += 1) {
    const next = withoutAlias(vocabulary, found);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

function withoutAlias({ aliases, own }: Vocabulary, words: readonly string[]): readonly string[] | undefined {
  const [first, second] = words;
  if (first === undefined) return undefined;
  const both = `${first} ${second}`;
  if (Object.hasOwn(aliases, both)) return [...aliases[both]!.split(' '), ...words.slice(2)];
  if (Object.hasOwn(aliases, first)) return [...aliases[first]!.split(' '), ...words.slice(1)];
  return own === undefined || own.has(first) || !/^\w/.test(first) ? undefined : ['run', ...words];
}

/** The sub-commands (and aliases of them) that a word is a beginning of; none for one that is there itself. */
function meantBy(vocabulary: Vocabulary, word: string | undefined): readonly string[] {
  if (vocabulary.shortened === undefined || word === undefined || !/^\w/.test(word)) return [];
  // npm takes `runScript` for `run-script`.
  const dashed = word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const all = allWords(vocabulary);
  if (all.has(dashed)) return dashed === word ? [] : [dashed];
  return [...all].filter((command) => command.startsWith(dashed)).slice(0, most);
}

const wordsOf = new WeakMap<Vocabulary, ReadonlySet<string>>();

function allWords(vocabulary: Vocabulary): ReadonlySet<string> {
  let all = wordsOf.get(vocabulary);
  if (all === undefined) {
    all = new Set([...(vocabulary.shortened ?? []), ...Object.keys(vocabulary.aliases)]);
    wordsOf.set(vocabulary, all);
  }
  return all;
}
