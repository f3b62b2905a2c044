import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FilePath, resolvePath } from '../../workspace/path.ts';
import { type Cover, pathDeed } from '../deed.ts';
import { namedFiles } from './files.ts';
import type { Folders } from './folder.ts';
import { matchesName } from './glob.ts';
import type { Line } from './line.ts';
import type { Listing } from './listing.ts';
import { addNamed } from './named-deed.ts';
import type { ShellWord } from './word.ts';

/** Reading all files below: a doubt when one of them is denied, or when there are too many to tell. */
export function addFolder(line: Line, word: ShellWord, folders: Folders, cover: Cover, hidden: boolean): void {
  for (const file of namedFiles(line.context.root, word, folders)) {
    addNamed(line, 'read', file, cover);
    if (file.where === 'inside') doubtTree(line, file.path, cover, doubtIn(line, file.path, { hidden }));
  }
}

/** Reading the files that a program lists. */
export function addListed(line: Line, listing: Listing, folders: Folders, cover: Cover): void {
  for (const root of listing.roots) {
    for (const file of namedFiles(line.context.root, root, folders)) {
      addNamed(line, 'read', file, cover);
      if (file.where !== 'inside') continue;
      const doubt = doubtInGit(line, listing, file.path) ?? doubtIn(line, file.path, listedOnly(listing));
      doubtTree(line, file.path, cover, doubt);
    }
  }
}

function doubtTree(line: Line, path: FilePath, cover: Cover, doubt: string | undefined): void {
  if (doubt !== undefined) line.deeds.push({ ...pathDeed('read', path), cover, doubt });
}

/** Which files of a tree are read. */
interface Selection {
  /** Those whose names begin with a dot, too. */
  readonly hidden: boolean;
  readonly reads?: (name: string) => boolean;
  /** Links are opened, and names are cut at blanks. */
  readonly byName?: { readonly split: boolean };
  /** Files whose reading is denied are known not to be among them. */
  readonly spares?: true;
}

function listedOnly({ named, visible, split, tracked }: Listing): Selection {
  return {
    hidden: visible !== true,
    ...(named === undefined ? {} : { reads: (name: string) => matchesName(named, name) }),
    byName: { split: split === true },
    ...(tracked === undefined ? {} : { spares: true }),
  };
}

/** What git tracks is known from git. */
function doubtInGit(line: Line, { tracked }: Listing, folder: FilePath): string | undefined {
  if (tracked === undefined) return undefined;
  const names = line.context.hidden === undefined ? 'unknown' : line.context.hidden(folder.abs);
  // In no repository it lists nothing.
  if (names === undefined) return undefined;
  if (names === 'unknown') return 'whether git lists files whose reading is denied is not known';
  const [denied] = names[tracked];
  return denied === undefined ? undefined : wouldRead(line, denied);
}

const maxFiles = 20_000;

/** Large, and not read: git's store is compressed, and who leaves out hidden files leaves out what is ignored as well. */
function isLeftOut(folder: string, name: string, { hidden }: Selection): boolean {
  if (name === 'objects') return basename(folder) === '.git';
  return name === 'node_modules' && !hidden;
}

function doubtIn(line: Line, top: FilePath, selection: Selection): string | undefined {
  const pending = [top.abs];
  let left = maxFiles;
  while (pending.length > 0) {
    const folder = pending.pop()!;
    for (const entry of entriesOf(folder)) {
      left -= 1;
      if (left < 0) return 'it reads more files than can be checked. Name a smaller folder';
      if (!selection.hidden && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder && selection.reads?.(entry.name) === false) continue;
      if (selection.byName !== undefined && misread(entry.name, selection.byName.split))
        return `a name as ${JSON.stringify(entry.name)} is taken for several, or for an option`;
      if (isFolder && !isLeftOut(folder, entry.name, selection)) pending.push(path);
      const doubt = isFolder ? undefined : doubtOfFile(line, path, entry, selection);
      if (doubt !== undefined) return doubt;
    }
  }
  return undefined;
}

function misread(name: string, split: boolean): boolean {
  return name.startsWith('-') || (split && /[\s'"\\*?[]/.test(name));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function doubtOfFile(line: Line, path: string, entry: Dirent, { byName, spares }: Selection): string | undefined {
  try {
    const file = resolvePath(line.context.root, path, 'relative');
    const plain = spares === true && !entry.isSymbolicLink();
    return plain || line.context.readable(file) ? undefined : wouldRead(line, path);
  } catch {
    // Recursive readers follow no link that they find; who is given its name does.
    return byName === undefined ? undefined : `${relativeTo(line, path)} leads out of the workspace`;
  }
}

function wouldRead(line: Line, path: string): string {
  return `it would read ${relativeTo(line, path)}, whose reading is denied`;
}

function relativeTo(line: Line, path: string): string {
  return path.slice(line.context.root.real.length + 1);
}
