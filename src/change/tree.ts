import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../base/error.ts';

/** One name in a tree, as the disk tells it without opening anything. */
export interface TreeEntry {
  /** Relative to the top of the tree; empty for the top itself. */
  readonly rel: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'other';
  /** Permission bits. */
  readonly mode: number;
  /** Bytes; of a folder 0. */
  readonly size: number;
  /** Bytes on the disk: of a file with holes much less. */
  readonly stored: number;
  readonly mtimeNs: bigint;
  /** When the entry was last changed in any way; nobody can set it. */
  readonly ctimeNs: bigint;
  readonly ino: bigint;
}

/** A file, a link, or a folder with all below it. */
export interface Tree {
  /** The top first, then what is below in the order of names. */
  readonly entries: readonly TreeEntry[];
  /**
   * Tells whether two looks saw the same thing: the names, kinds, modes, sizes, times and inodes of all entries. It stays
   * the same when the tree is moved within its file system, and changes when anybody writes in it.
   */
  readonly stamp: string;
  /** When anything of it was last changed in any way; moving it counts too. */
  readonly changedAt: bigint;
}

/** What is at `place`, links not followed; undefined when nothing is. */
export function readTree(place: string): Tree | undefined {
  const top = look(place);
  if (top === undefined) return undefined;
  const entries: TreeEntry[] = [];
  const hash = createHash('sha256');
  let changedAt = 0n;
  const take = (rel: string, at: string, stats: BigIntStats) => {
    const entry = entryOf(rel, stats);
    entries.push(entry);
    if (entry.ctimeNs > changedAt) changedAt = entry.ctimeNs;
    const time = entry.kind === 'folder' ? '' : entry.mtimeNs;
    hash.update(`${rel}\0${entry.kind}\0${entry.mode}\0${entry.size}\0${time}\0${entry.ino}\0`);
    if (entry.kind !== 'folder') return;
    for (const name of readdirSync(at).sort()) {
      const below = join(at, name);
      const found = look(below);
      if (found !== undefined) take(rel === '' ? name : `${rel}/${name}`, below, found);
    }
  };
  take('', place, top);
  return { entries, stamp: hash.digest('hex'), changedAt };
}

/** The bytes that a tree takes on the disk. */
export function storedBytes(tree: Tree | undefined): number {
  return (tree?.entries ?? []).reduce((sum, { stored }) => sum + stored, 0);
}

function entryOf(rel: string, stats: BigIntStats): TreeEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'symlink' : 'other';
  const { mtimeNs, ctimeNs, ino } = stats;
  const size = kind === 'folder' ? 0 : Number(stats.size);
  const [mode, stored] = [Number(stats.mode) & 0o7777, Number(stats.blocks) * 512];
  return { rel, kind, mode, size, stored, mtimeNs, ctimeNs, ino };
}

function look(place: string): BigIntStats | undefined {
  try {
    return lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
