import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { plainText, type ShellWord } from './word.ts';

/** The folders a command may run in, absolute; undefined when it can't be told. */
export type Folders = readonly string[] | undefined;

/** Follows `cd`, `pushd` and `popd` through a line. */
export interface Whereabouts {
  /** The folders after a command has run; the very same value when it does not change them. */
  after(words: readonly ShellWord[], folders: Folders): Folders;
  join(a: Folders, b: Folders): Folders;
}

const maxFolders = 8;

export function createWhereabouts(home: string): Whereabouts {
  return {
    after(words, folders) {
      const [name, ...args] = skipPrefixes(words);
      if (name === 'popd') return undefined;
      if (name !== 'cd' && name !== 'pushd' && name !== 'chdir') return folders;
      const operands = args.filter((arg) => arg === undefined || !/^-[LPe@n]+$|^--$/.test(arg));
      if (operands.length > 1 || operands.includes(undefined)) return undefined;
      return enter(name === 'pushd' ? operands[0] : (operands[0] ?? home), folders);
    },
    join: joinFolders,
  };
}

/** `command cd x` and `builtin cd x` are `cd x`. */
function skipPrefixes(words: readonly ShellWord[]): readonly (string | undefined)[] {
  const values = words.map(plainText);
  let at = 0;
  while (values[at] === 'command' || values[at] === 'builtin') at += values[at + 1] === '--' ? 2 : 1;
  return values.slice(at);
}

/** Where a folder that is there is entered for certain; into one that is not (yet), maybe. */
function enter(target: string | undefined, folders: Folders): Folders {
  if (target === undefined || target === '' || /^[-+]/.test(target) || folders === undefined) return undefined;
  const entered = folders.map((folder) => resolve(folder, target));
  const all = entered.flatMap((folder) => [folder, ...realFolder(folder)]);
  return entered.every(isFolder) ? joinFolders([], all) : joinFolders(folders, all);
}

function joinFolders(a: Folders, b: Folders): Folders {
  if (a === b) return a;
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > maxFolders ? undefined : all;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A folder behind a link has two names, and `..` means another folder for each. */
function realFolder(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}
