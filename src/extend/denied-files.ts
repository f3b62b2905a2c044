import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateNow } from '../change/state-now.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';

const maxFolders = 300;
const maxDepth = 4;
const maxFileBytes = 256 * 1024;
const skipped = new Set(['.git', 'node_modules']);

/** A file whose reading is denied, with its content for masking. */
export interface DeniedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files in the workspace whose reading is denied; what commands print of their values is masked. Looks at the upper
 * levels (4 deep, 300 folders) and again only where something changed; a net, not a wall.
 */
export function deniedFiles(workspace: Workspace): () => readonly DeniedFile[] {
  let known: Scan | undefined;
  return () => {
    if (known === undefined || hasChanged(known)) known = scan(workspace);
    return known.files;
  };
}

interface Scan {
  readonly files: readonly DeniedFile[];
  /** What was looked at, with its time of change. */
  readonly marks: ReadonlyMap<string, number>;
}

function hasChanged({ marks }: Scan): boolean {
  for (const [path, mark] of marks) if (markOf(path) !== mark) return true;
  return false;
}

function markOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function scan(workspace: Workspace): Scan {
  const marks = new Map<string, number>();
  const files: DeniedFile[] = [];
  let level = [workspace.root.real];
  for (let depth = 0; depth < maxDepth && marks.size < maxFolders; depth += 1) {
    const below: string[] = [];
    for (const folder of level.slice(0, maxFolders)) {
      marks.set(folder, markOf(folder));
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !skipped.has(entry.name)) below.push(path);
        if (!entry.isFile() || !isDenied(workspace, path)) continue;
        marks.set(path, markOf(path));
        files.push({ path, text: textOf(workspace, path) });
      }
    }
    level = below;
  }
  return { files, marks };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isDenied(workspace: Workspace, path: string): boolean {
  const file = jailed(workspace, path);
  return file !== undefined && !workspace.visible(file);
}

function jailed(workspace: Workspace, path: string): FilePath | undefined {
  try {
    return workspace.resolve(path);
  } catch {
    return undefined;
  }
}

function textOf(workspace: Workspace, path: string): string {
  const file = jailed(workspace, path);
  if (file === undefined || (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) return '';
  try {
    return stateNow(workspace, file)?.bytes.toString('utf8') ?? '';
  } catch {
    // A file that can't be read can't be printed by a command of the same user either.
    return '';
  }
}
