import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { distantMounts } from './distant-mounts.ts';
import { entryPaths } from './entry-paths.ts';
import type { FilePath, Root } from './path.ts';
import { look } from './same-file.ts';

/** How far is looked: levels of folders, and folders in all. */
export interface Reach {
  readonly depth: number;
  readonly folders: number;
}

const upperLevels: Reach = { depth: 4, folders: 300 };
const skipped = new Set(['.git', 'node_modules']);

/**
 * The files in the workspace whose reading is refused, within `reach` (usually 4 deep, 300 folders), no `.git` and
 * `node_modules`, and no mounts that may keep a reader waiting.
 * Each call looks at the folders' times and reads again only when something changed; then it answers with a new array.
 */
export function hiddenFiles(
  root: Root,
  isVisible: (path: FilePath) => boolean,
  reach = upperLevels,
): () => readonly FilePath[] {
  let known: Scan | undefined;
  return () => {
    if (known === undefined || hasChanged(known)) known = scan(root, isVisible, reach);
    return known.files;
  };
}

interface Scan {
  readonly files: readonly FilePath[];
  /** What was looked at, with its time of change. */
  readonly marks: ReadonlyMap<string, number>;
}

function hasChanged({ marks }: Scan): boolean {
  for (const [path, mark] of marks) if (markOf(path) !== mark) return true;
  return false;
}

function markOf(path: string): number {
  return look(path)?.mtimeMs ?? 0;
}

function scan(root: Root, isVisible: (path: FilePath) => boolean, reach: Reach): Scan {
  const marks = new Map<string, number>();
  const files: FilePath[] = [];
  const pathOf = entryPaths(root);
  let level = [''];
  let left = reach.folders;
  const closed = new Set(distantMounts(root).map(({ rel }) => `${rel}/`));
  for (let depth = 0; depth < reach.depth && level.length > 0; depth += 1) {
    const below: string[] = [];
    const looked = level.slice(0, left);
    left -= looked.length;
    for (const folder of looked) {
      const abs = join(root.real, folder);
      marks.set(abs, markOf(abs));
      for (const entry of entriesOf(abs)) {
        const inner = `${folder}${entry.name}/`;
        if (entry.isDirectory() && !skipped.has(entry.name) && !closed.has(inner)) below.push(inner);
        const path = entry.isFile() ? pathOf(folder + entry.name, 'file') : undefined;
        if (path === undefined || isVisible(path)) continue;
        marks.set(path.abs, markOf(path.abs));
        files.push(path);
      }
    }
    level = below;
  }
  return { files, marks };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
