import { join } from 'node:path';
import type { Swap } from './swap.ts';
import type { Tree, TreeEntry } from './tree.ts';

/** One file (or link, or folder without anything in it) of the workspace, before and after swaps. */
export interface SwappedFile {
  /** Relative to the root. */
  readonly path: string;
  readonly before?: PlacedEntry;
  readonly after?: PlacedEntry;
}

export interface PlacedEntry {
  /** Where it lies now; absolute. */
  readonly place: string;
  readonly entry: TreeEntry;
}

/** The files that a swap takes away, brings, or replaces, in the order of their names. */
export function swappedFiles(root: string, swap: Swap): SwappedFile[] {
  const before = leaves(swap.before, join(root, swap.path));
  const after = leaves(swap.after, swap.from ?? '');
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((rel) => {
    const [old, now] = [before.get(rel), after.get(rel)];
    const path = rel === '' ? swap.path : `${swap.path}/${rel}`;
    return { path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) };
  });
}

/** All but the folders that hold something. */
function leaves(tree: Tree | undefined, place: string): Map<string, PlacedEntry> {
  const entries = tree?.entries ?? [];
  const found = new Map<string, PlacedEntry>();
  entries.forEach((entry, at) => {
    const next = entries[at + 1];
    const holds =
      entry.kind === 'folder' && next !== undefined && (entry.rel === '' || next.rel.startsWith(`${entry.rel}/`));
    if (!holds) found.set(entry.rel, { place: entry.rel === '' ? place : join(place, entry.rel), entry });
  });
  return found;
}
