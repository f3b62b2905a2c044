import { fdatasync, fdatasyncSync, fsync, fsyncSync } from 'node:fs';
import { promisify } from 'node:util';

export interface SyncOptions {
  /** The bytes and the size, without the other facts of the file. */
  readonly data?: boolean;
  /** One of many at the same time, which the file system then gathers into one write. */
  readonly many?: boolean;
}

/** While the disk answers within this many milliseconds, waiting for it costs less than a thread's round. */
const soonMs = 3;
/** How long the last one took: a disk that is slow, or busy just now, may not hold up the program. */
let lastMs = 0;

const later = { all: promisify(fsync), data: promisify(fdatasync) };
const now = { all: fsyncSync, data: fdatasyncSync };

/** Resolves when what was written to `fd` (a file, or a folder's names) is on the disk. */
export async function syncToDisk(fd: number, { data = false, many = false }: SyncOptions = {}): Promise<void> {
  const what = data ? 'data' : 'all';
  const start = performance.now();
  if (many || lastMs > soonMs) await later[what](fd);
  else now[what](fd);
  if (!many) lastMs = performance.now() - start;
}
