import { basename } from 'node:path';
import type { Deed } from '../deed.ts';
import { oneWord } from '../overlap.ts';
import { withoutGlobals } from './git-command.ts';
import { withoutLeadingOptions } from './leading-options.ts';
import type { PlainCommand } from './line.ts';
import type { SimpleCommand } from './simple-command.ts';
import { hasSynonyms, otherSpellings } from './synonyms.ts';
import { maybeOption, plainText, type ShellWord, spell } from './word.ts';

/** The deed of running a command, by every spelling that a row may have of it; `names` are what its program may be. */
export function executeDeed(plain: PlainCommand, command: SimpleCommand, names: readonly ShellWord[] = []): Deed {
  const { name, text, args } = plain;
  const { source } = command;
  const safe = source === text ? [text] : [text, source];
  const deed: Deed = {
    kind: 'execute',
    subject: text,
    faces: [{ safe, loose: looseSpellings(plain, command, names) }],
  };
  return name === undefined || args.every(isPlain) ? deed : { ...deed, open: [name, ...args.map(withHoles)].join(' ') };
}

function looseSpellings(
  { name, args, text }: PlainCommand,
  { words }: SimpleCommand,
  names: readonly ShellWord[],
): readonly string[] {
  const [first, ...others] = words.map(readable);
  const found = new Set([joined(first, others)]);
  if (name !== undefined && name !== first) found.add(joined(name, others)).add(joined(name, args.map(spell)));
  if (name !== undefined) for (const way of rewritten(name, args)) found.add(joined(name, way));
  for (const one of names) found.add(joined(programName(one.raw), others));
  if (args.some((word) => word.kind === 'open' && word.may !== undefined))
    found.add(joined(name ?? first, args.map(likely)));
  found.delete(text);
  return [...found];
}

function joined(first: string | undefined, rest: readonly string[]): string {
  return rest.length === 0 ? (first ?? '') : `${first} ${rest.join(' ')}`;
}

/** The arguments without options before the sub-command, and with that in the other words there are for it. */
function rewritten(name: string, args: readonly ShellWord[]): readonly (readonly string[])[] {
  const ways = shortenings(name, args).map((way) => way.map(readable));
  if (!hasSynonyms(name)) return ways;
  return [...ways, ...[args.map(readable), ...ways].flatMap((way) => otherSpellings(name, way))];
}

function shortenings(name: string, args: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (name !== 'git') return withoutLeadingOptions(args);
  return args[0] !== undefined && maybeOption(args[0]) ? [withoutGlobals(args)] : [];
}

function isPlain({ kind }: ShellWord): boolean {
  return kind === 'plain';
}

/** `npm $x` may be any command of npm. */
function withHoles(word: ShellWord): string {
  if (word.kind === 'plain') return word.value;
  if (word.kind === 'open') return `${word.prefix}*`;
  return word.pieces.map((piece) => (piece.type === 'text' ? piece.text : oneWord)).join('');
}

function readable(word: ShellWord): string {
  return plainText(word) ?? word.raw;
}

/** The likeliest text of a word. */
function likely(word: ShellWord): string {
  return plainText(word) ?? (word.kind === 'open' ? word.may?.[0]?.raw : undefined) ?? word.raw;
}

/** `/usr/bin/git` is `git`; a program elsewhere keeps its path, so that a row for `git *` does not speak for it. */
export function fromSystemFolder(written: string): string {
  const name = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/.exec(written)?.[1] ?? written;
  return spell({ kind: 'plain', raw: name, value: name });
}

export function programName(written: string): string {
  return basename(written.replace(/\/+$/, ''));
}
