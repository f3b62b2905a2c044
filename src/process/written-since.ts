import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How many entries are looked at, and how deep: enough for the top of a cache, where new entries show. */
const maxEntries = 500;
const maxDepth = 3;

/** Those of `folders` in which something was written since a time, in ns as the file system tells it. Does not look into the depths. */
export function writtenSince(folders: readonly string[], since: bigint): readonly string[] {
  return folders.filter((folder) => isWritten(folder, since));
}

function isWritten(folder: string, since: bigint): boolean {
  const pending = [{ place: folder, depth: 0 }];
  for (let seen = 0; pending.length > 0 && seen < maxEntries; seen += 1) {
    const { place, depth } = pending.shift()!;
    const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.ctimeNs >= since) return true;
    if (stats.isDirectory() && depth < maxDepth)
      pending.push(...below(place).map((at) => ({ place: at, depth: depth + 1 })));
  }
  return false;
}

function below(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
