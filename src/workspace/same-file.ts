import { lstatSync, type Stats } from 'node:fs';
import type { FilePath } from './path.ts';

/** What lies at a place, not following a link; undefined when nothing does or it can't be told. */
export function look(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Is it a regular file with more than one name? Only then can another path lead to it. */
export function hasOtherNames(stats: Stats | undefined): stats is Stats {
  return stats?.isFile() === true && stats.nlink > 1;
}

/** Of the paths, one that is the very file (device and inode) that was looked at. */
export function sameFile(stats: Stats, paths: readonly FilePath[]): FilePath | undefined {
  return paths.find(({ abs }) => isSameFile(stats, abs));
}

/** Is this place, not following a link, the file that was looked at? */
export function isSameFile({ dev, ino }: Stats, place: string): boolean {
  const other = look(place);
  return other?.ino === ino && other.dev === dev;
}
