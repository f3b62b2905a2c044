import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The little a spelling check asks of a file system; a seam for tests on file systems that the machine lacks. */
export interface NameLookup {
  names(folder: string): readonly string[];
  /** What tells two files apart (device and inode), or undefined when nothing is there. */
  identity(path: string): string | undefined;
}

const disk: NameLookup = {
  names: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  identity: (path) => {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false }) as BigIntStats | undefined;
    return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
  },
};

/** Two names that a folding file system takes for one: letter case and Unicode composition do not count. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * Whether the file system under `folder` takes differently spelled names for one. Found out without writing: a name
 * that is listed is looked up in its other letter case. A folder without letters in any name is judged by its own name.
 */
export function foldsNames(folder: string, lookup: NameLookup = disk): boolean {
  const names = new Set(lookup.names(folder));
  for (const name of names) {
    const other = otherCase(name);
    if (other !== name && !names.has(other)) return sameFile(join(folder, name), join(folder, other), lookup);
  }
  const other = otherCase(basename(folder));
  if (other === basename(folder)) return false;
  return sameFile(folder, join(dirname(folder), other), lookup);
}

/**
 * The spelling under which `folder` lists `name`, so that rules, locks and the ledger know each file by one name:
 * another letter case, another Unicode composition and a short 8.3 name all come out as the listed one. A name that
 * does not exist, or whose folder can't be listed, stays as it is.
 */
export function trueName(folder: string, name: string, lookup: NameLookup = disk): string {
  const identity = lookup.identity(join(folder, name));
  if (identity === undefined) return name;
  const names = lookup.names(folder);
  if (names.includes(name)) return name;
  const folded = foldName(name);
  const alike = names.find((one) => foldName(one) === folded);
  return alike ?? names.find((one) => lookup.identity(join(folder, one)) === identity) ?? name;
}

function otherCase(name: string): string {
  const lower = name.toLowerCase();
  return lower === name ? name.toUpperCase() : lower;
}

function sameFile(one: string, other: string, lookup: NameLookup): boolean {
  const identity = lookup.identity(one);
  return identity !== undefined && identity === lookup.identity(other);
}
