import { lstatSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Folders } from './folder.ts';
import { type GitCommand, readGit } from './git-command.ts';
import type { GitShows } from './git-shows.ts';
import { byLine, doubtCommand, type HiddenNames, inNature, type Line, type PlainCommand } from './line.ts';
import { addNetwork, hostOf } from './network.ts';
import { addFolder } from './read-tree.ts';
import { addFile, addLook } from './touch.ts';
import { maybeOption, plainText, plainWord, type ShellWord, startOf } from './word.ts';

/** What a git command does by itself. */
export function addGit(line: Line, command: PlainCommand): void {
  const git = readGit(command.args);
  for (const doubt of git.doubts) doubtCommand(line, command, doubt);
  const folder = plainText(git.folder);
  const folders: Folders =
    git.folder === undefined ? command.folders : folder === undefined ? undefined : joined(command.folders, folder);
  if (git.folder !== undefined) addLook(line, git.folder, command.folders);
  for (const word of git.reads) if (!maybeOption(word)) addFile(line, 'read', word, folders, inNature(command));
  for (const word of git.writes) addFile(line, 'write', word, folders, byLine);
  for (const word of git.places) addFile(line, 'write', word, folders, inNature(command));
  if (git.args.some((word) => /^--(?:no-index|untracked)$/.test(plainText(word) ?? '')))
    addUntracked(line, command, git, folders);
  if (/^(?:add|stage)$/.test(git.subcommand ?? '') && git.args.some(forces)) addUntracked(line, command, git, folders);
  if (git.shows !== undefined) addShown(line, command, git.shows, folders);
  addTaken(line, command, git, folders);
  if (git.network) addNetwork(line, command, hostOf(git.args));
}

/** `git add -f` takes what is ignored, too. */
function forces(word: ShellWord): boolean {
  return /^(?:-\w*f\w*|--for.*)$/.test(plainText(word) ?? '');
}

/** `git grep --no-index` and `git diff --no-index` read whole folders, as grep and diff do. */
function addUntracked(line: Line, command: PlainCommand, { subcommand, args }: GitCommand, folders: Folders): void {
  const named = args.filter((word) => !maybeOption(word)).slice(subcommand === 'grep' ? 1 : 0);
  for (const word of named.length > 0 ? named : [plainWord('.')])
    addFolder(line, word, folders, inNature(command), true);
}

/** Contents printed unnamed: a doubt when a denied file is among them, or nobody could look. */
function addShown(line: Line, command: PlainCommand, shows: GitShows, folders: Folders): void {
  const { hidden } = line.context;
  if (hidden === undefined) return;
  for (const folder of folders ?? [line.context.root.real]) {
    const names = hidden(folder);
    if (names === undefined) continue;
    if (names === 'unknown') doubtCommand(line, command, 'whether it shows files whose reading is denied is not known');
    else addShownNames(line, command, shows, folder, names);
  }
}

function addShownNames(
  line: Line,
  command: PlainCommand,
  { which, operands, paths }: GitShows,
  folder: string,
  names: HiddenNames,
): void {
  const words = [...operands.filter((word) => isThere(folder, word)), ...paths].map(plainText);
  const revisions = operands.length > words.length - paths.length;
  const found = names[which === 'ever' && !revisions && command.args.some(isDiff) ? 'now' : which];
  const left = found.filter((path) => selects(words, folder, path));
  const [first, ...more] = left.map((path) => relative(line.context.root.real, path));
  if (first === undefined) return;
  const all = more.length === 0 ? first : `${first} and ${more.length} more`;
  const doubt = `it may show what ${all} holds or held, whose reading is denied. Leave it out: -- . ':!${first}'`;
  doubtCommand(line, command, doubt);
}

/** What git takes in, it can show and send: a doubt when a denied file is among it that the command does not name. */
function addTaken(line: Line, command: PlainCommand, { subcommand, args }: GitCommand, folders: Folders): void {
  const which = takenBy(subcommand, args);
  if (which === undefined || line.context.hidden === undefined) return;
  for (const folder of folders ?? [line.context.root.real]) {
    const names = line.context.hidden(folder);
    if (names === undefined || names === 'unknown') continue;
    const paths = args
      .filter((word) => startOf(word).startsWith(':') || (!maybeOption(word) && isThere(folder, word)))
      .map(plainText);
    const found = [...(names.untracked ?? []), ...names.now].filter((path, at) => {
      const untracked = at < (names.untracked?.length ?? 0);
      return (untracked ? which.untracked : which.tracked) && selects(paths, folder, path);
    });
    const [first] = found.map((path) => relative(line.context.root.real, path));
    if (first !== undefined)
      doubtCommand(line, command, `git would store the content of ${first}, whose reading is denied. Ignore it first`);
  }
}

function takenBy(
  subcommand: string | undefined,
  args: readonly ShellWord[],
): { readonly tracked: boolean; readonly untracked: boolean } | undefined {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(plainText(word) ?? ''));
  if (has(/^(?:-n|--dry-run)$/)) return undefined;
  if (subcommand === 'commit')
    return has(/^(?:-[a-ln-z]*a\w*|--all)$/) ? { tracked: true, untracked: false } : undefined;
  if (subcommand === 'stash')
    return has(/^(?:-\w*u\w*|--include-untracked)$/) ? { tracked: true, untracked: true } : undefined;
  if (subcommand !== 'add' && subcommand !== 'stage') return undefined;
  return { tracked: true, untracked: !has(/^(?:-u|--update)$/) };
}

function isDiff(word: ShellWord): boolean {
  return plainText(word) === 'diff';
}

function isThere(folder: string, word: ShellWord): boolean {
  const text = plainText(word);
  return text !== undefined && lstatSync(resolve(folder, text), { throwIfNoEntry: false }) !== undefined;
}

/** Do the path words of a git command let this path through? One that is not plain lets all through. */
function selects(words: readonly (string | undefined)[], folder: string, path: string): boolean {
  const excluded = words.filter((word) => word !== undefined && /^:[!^]/.test(word));
  if (excluded.some((word) => covers(word!.slice(2), folder, path))) return false;
  const wanted = words.filter((word) => !excluded.includes(word));
  return (
    wanted.length === 0 ||
    wanted.some((word) => word === undefined || /[*?[]|^:/.test(word) || covers(word, folder, path))
  );
}

function covers(text: string, folder: string, path: string): boolean {
  const at = resolve(folder, text);
  return path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`);
}

function joined(folders: Folders, folder: string): Folders {
  return folders?.map((from) => (folder.startsWith('/') ? folder : `${from}/${folder}`));
}
