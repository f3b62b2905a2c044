import { basename } from 'node:path';
import type { Deed } from '../deed.ts';
import { oneWord } from '../overlap.ts';
import { withoutGlobals } from './git-command.ts';
import { withoutLeadingOptions } from './leading-options.ts';
import type { PlainCommand } from './line.ts';
import type { SimpleCommand } from './simple-command.ts';
import { maybeOption, plainText, type ShellWord, spell } from './word.ts';

/** The deed of running a command, by every spelling that a row may have of it; `names` are what its program may be. */
export function executeDeed(
  plain: PlainCommand,
  { source, words }: SimpleCommand,
  names: readonly ShellWord[] = [],
): Deed {
  const loose = words.map(readable).join(' ');
  const { name, text } = plain;
  const rest = words.slice(1).map(readable);
  const spellings = [loose];
  if (name !== undefined) {
    const named = [[name, ...rest].join(' '), [name, ...plain.args.map(spell)].join(' ')];
    for (const one of named) if (one !== text && !spellings.includes(one)) spellings.push(one);
  }
  if (name !== undefined && name !== 'git')
    for (const way of withoutLeadingOptions(plain.args)) spellings.push([name, ...way.map(readable)].join(' '));
  if (name === 'git' && plain.args[0] !== undefined && maybeOption(plain.args[0]))
    spellings.push(['git', ...withoutGlobals(plain.args).map(readable)].join(' '));
  for (const one of names) spellings.push([programName(one.raw), ...rest].join(' '));
  if (plain.args.some((word) => word.kind === 'open' && word.may !== undefined))
    spellings.push([name ?? loose, ...plain.args.map(likely)].join(' '));
  const deed: Deed = { kind: 'execute', subject: text, faces: [{ safe: [text, source], loose: spellings }] };
  return name === undefined || plain.args.every(({ kind }) => kind === 'plain')
    ? deed
    : { ...deed, open: [name, ...plain.args.map(withHoles)].join(' ') };
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
