import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Lock, lock } from '../base/lock.ts';
import type { Disk } from './disk.ts';

type Release = Pick<Lock, 'release'>;

/** Waiting turns of this process, by key, so that calls side by side queue up instead of polling. */
const turns = new Map<string, Promise<void>>();

/**
 * Locks the entries at `paths` (relative to the root) against other calls and other processes: each by its real path, and
 * by device and inode where it exists, so that no second name (a hard link, another spelling) leads past the lock.
 */
export async function lockPaths(disk: Disk, folder: string, paths: readonly string[]): Promise<Release> {
  for (;;) {
    const keys = keysOf(disk, paths);
    const locks: Release[] = [];
    const release = () => {
      for (const one of locks.splice(0)) one.release();
    };
    try {
      // Always in the same order, so that two calls can't wait for each other.
      for (const key of keys) {
        const turn = await takeTurn(key);
        locks.push(turn);
        const taken = await lock(join(folder, key));
        locks[locks.length - 1] = both(taken, turn);
      }
    } catch (error) {
      release();
      throw error;
    }
    // A commit before ours may have put new inodes under these names.
    if (keysOf(disk, paths).join() === keys.join()) return { release };
    release();
  }
}

function keysOf(disk: Disk, paths: readonly string[]): string[] {
  const keys = new Set<string>();
  for (const path of paths) {
    keys.add(keyOf(`path ${join(disk.root.real, path)}`));
    const stats = disk.look(path);
    if (stats !== undefined) keys.add(keyOf(`inode ${stats.dev} ${stats.ino}`));
  }
  return [...keys].sort();
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function takeTurn(key: string): Promise<Release> {
  const before = turns.get(key);
  let finish = () => {};
  const mine = new Promise<void>((resolve) => {
    finish = resolve;
  });
  turns.set(key, mine);
  await before;
  return {
    release: () => {
      if (turns.get(key) === mine) turns.delete(key);
      finish();
    },
  };
}

function both(first: Release, second: Release): Release {
  return {
    release: () => {
      try {
        first.release();
      } finally {
        second.release();
      }
    },
  };
}
