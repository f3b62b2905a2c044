import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { handlesWork } from './anchor.ts';

export interface FolderEntries {
  /** Those whose names path texts can spell, in no order. */
  readonly entries: readonly Dirent[];
  /** How many others there are: names that are not UTF-8. */
  readonly unspellable: number;
}

/**
 * Reads folders below a root, by their relative places, for who has met them as folders before. A name on the way that
 * was swapped for a link meanwhile is not followed: on Linux the folder that was opened must lie where it was asked
 * for; elsewhere it is looked at before and after. Throws what the system throws, and for a folder that lies elsewhere.
 */
export function folderReader(root: string, handles = handlesWork): (rel: string) => FolderEntries {
  if (!handles) return (rel) => readPlain(join(root, rel));
  const home = withFolder(root, (fd) => readlinkSync(place(fd)));
  return (rel) => {
    const below = rel === '.' ? '' : `/${rel}`;
    return withFolder(root + below, (fd) => {
      refuseOther(readlinkSync(place(fd)), home + below);
      return entriesOf(place(fd));
    });
  };
}

const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

function withFolder<T>(folder: string, use: (fd: number) => T): T {
  const fd = openSync(folder, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function place(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function readPlain(folder: string): FolderEntries {
  refuseOther(realpathSync.native(folder), folder);
  const found = entriesOf(folder);
  refuseOther(realpathSync.native(folder), folder);
  return found;
}

function refuseOther(real: string, folder: string): void {
  if (real !== folder) throw new Error(`${folder} was moved or became a link while it was walked.`);
}

function entriesOf(folder: string): FolderEntries {
  const all = readdirSync(folder, { withFileTypes: true });
  // A name that is not UTF-8 is read with marks in the place of its bytes, and nothing has that name.
  const entries = all.filter(({ name }) => !name.includes('\ufffd') || isThere(`${folder}/${name}`));
  return { entries, unspellable: all.length - entries.length };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
