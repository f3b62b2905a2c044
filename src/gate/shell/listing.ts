import type * as Unbash from 'unbash';
import { globPieces } from './may-be.ts';
import { type GlobPiece, plainText, plainWord, type ShellWord, startOf } from './word.ts';

/** What is known of names that a program prints: each is that of a file below one of these folders. */
export interface Listing {
  readonly roots: readonly ShellWord[];
  /** Each base name matches this. */
  readonly named?: readonly GlobPiece[];
  /** Each is a file that git tracks `now`, or did `ever`. */
  readonly tracked?: 'now' | 'ever';
  /** None of them, and no folder on the way, begins with a dot. */
  readonly visible?: true;
  /** Whoever takes them cuts them at blanks. */
  readonly split?: true;
}

/** A simple command whose input nobody turns aside. */
export function isBare(node: Unbash.SyntaxNode): node is Unbash.Command {
  if (node.type !== 'Command' || node.prefix.length > 0) return false;
  return node.redirects.every((redirect) => redirect.type === 'Redirect' && /^>>?$/.test(redirect.operator));
}

/** The files that a pipeline prints the names of, given the words of its commands; undefined when it may print anything. */
export function listingOf(stages: readonly (readonly ShellWord[])[]): Listing | undefined {
  const [producer, ...filters] = stages;
  if (producer === undefined || !filters.every(onlySelects)) return undefined;
  const [name, ...args] = producer;
  const judge = producers[plainText(name) ?? ''];
  return judge?.(args);
}

const producers: Readonly<Record<string, ((args: readonly ShellWord[]) => Listing | undefined) | undefined>> = {
  find: (args) => (args.some((word) => printsMore.test(plainText(word) ?? '')) ? undefined : foundBy(args)),
  git: listedByGit,
  rg: (args) =>
    searched(args, /^(?:-[liwFsSe0gt]+|--(?:files|files-with-matches|hidden|ignore-case|(?:glob|type)(?:=.*)?))$/),
  grep: (args) => searched(args, /^(?:-[rRliwFEe]+|--(?:include|exclude|exclude-dir)(?:=.*)?)$/),
};

const printsMore = /^-(?:printf|ls|fls|exec|execdir|ok|okdir|fprint.*|files0-from)$/;

/** What `find` finds. */
export function foundBy(args: readonly ShellWord[]): Listing | undefined {
  const ends = args.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(plainText(word) ?? ''));
  const tests = ends < 0 ? args : args.slice(0, ends);
  if (!tests.every((word) => word.kind === 'plain')) return undefined;
  const texts = tests.map((word) => plainText(word)!);
  const from = texts.findIndex((text) => /^[-(!,]/.test(text) && !/^-[HLP]$/.test(text));
  const starts = (from < 0 ? texts : texts.slice(0, from)).filter((text) => !text.startsWith('-'));
  const roots = (starts.length === 0 ? ['.'] : starts).map(plainWord);
  const named = nameIn(texts);
  return { roots, ...(named === undefined ? {} : { named: globPieces(named) }) };
}

/** The pattern that every name must match: nothing is joined by *or*, or negated. */
function nameIn(texts: readonly string[]): string | undefined {
  if (texts.some((text) => /^(?:-o|-or|,|!|-not|\(|\\?\()$/.test(text))) return undefined;
  const at = texts.indexOf('-name');
  const pattern = at < 0 ? undefined : texts[at + 1];
  return pattern === undefined || pattern.includes('\\') ? undefined : pattern;
}

function listedByGit([subcommand, ...args]: readonly ShellWord[]): Listing | undefined {
  const lists = plainText(subcommand) === 'ls-files';
  if (!lists && plainText(subcommand) !== 'diff') return undefined;
  if (!lists && !args.some((word) => plainText(word) === '--name-only')) return undefined;
  const known = /^(?:-z|-m|-c|--|--name-only|--cached|--modified|--staged|--relative|--diff-filter=.*)$/;
  return args.every((word) => staysHere(word, known)) ? { roots: [here], tracked: lists ? 'now' : 'ever' } : undefined;
}

function searched(args: readonly ShellWord[], known: RegExp): Listing | undefined {
  const texts = args.map((word) => plainText(word) ?? '');
  const onlyNames = texts.some((text) => /^-[a-zA-Z0]*l|^--files/.test(text));
  if (!onlyNames || !args.every((word) => staysHere(word, known))) return undefined;
  const dots = texts.some((text) => /^--hidden$|(?:^|\/)\.[^/]/.test(text));
  return { roots: [here], ...(dots || known.test('-r') ? {} : { visible: true }) };
}

const here = plainWord('.');

/** An option that changes nothing of this, or a word that leads nowhere else. */
function staysHere(word: ShellWord, known: RegExp): boolean {
  const text = plainText(word);
  if (text === undefined) return false;
  return text.startsWith('-') ? known.test(text) : !/^[~/]|(?:^|\/)\.\.(?:\/|$)/.test(text);
}

/** `head`, `sort`, `uniq` and `grep` that pass on whole lines of their input. */
function onlySelects([name, ...args]: readonly ShellWord[]): boolean {
  const texts = args.map((word) => plainText(word));
  switch (plainText(name)) {
    case 'head':
    case 'tail':
      return texts.every((text) => /^(?:-n|[-+]?n?\d+|-n\+?\d+)$/.test(text ?? ''));
    case 'sort':
      return texts.every((text) => /^-[urzfV]+$/.test(text ?? ''));
    case 'uniq':
      return texts.length === 0;
    case 'grep':
      return (
        texts.every((text) => text !== undefined && (!text.startsWith('-') || /^-[vEiwF]+$/.test(text))) &&
        args.filter((word) => !startOf(word).startsWith('-')).length === 1
      );
    default:
      return false;
  }
}
