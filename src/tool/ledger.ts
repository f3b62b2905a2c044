import type { Stats } from 'node:fs';
import type { FilePath } from '../workspace/path.ts';
import { slot } from './state.ts';

/** What a session knows of a file it has read: enough to tell whether it changed since. */
export interface Seen {
  /** SHA-256 of the whole content, when the whole was read or written. */
  readonly digest?: string;
  /** Size, inode and change time when it was read. */
  readonly mark?: string;
}

/** The files a session has read or written, by real path. `call` on the command line has none of them. */
export interface Ledger {
  saw(path: FilePath, seen: Seen): void;
  forget(path: FilePath): void;
  of(path: FilePath): Seen | undefined;
}

export function markOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

export const ledgerSlot = slot<Ledger>(() => {
  const seen = new Map<string, Seen>();
  return {
    saw: (path, what) => void seen.set(path.abs, what),
    forget: (path) => void seen.delete(path.abs),
    of: (path) => seen.get(path.abs),
  };
});
