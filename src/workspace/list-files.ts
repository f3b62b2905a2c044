import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Glob } from '../base/glob.ts';
import { entryPaths } from './entry-paths.ts';
import { type FilePath, resolvePath } from './path.ts';
import { noWalkTrouble, openWalk, type WalkEntry, type WalkTrouble, walkAll } from './walk.ts';
import type { Workspace } from './workspace.ts';

export interface FileListing {
  readonly glob: Glob;
  readonly ignoreFiles: readonly string[];
  readonly includeIgnored: boolean;
  /** Names never listed nor gone into. */
  readonly skip: (name: string) => boolean;
  /** The walk ends when this many are found and there is one more. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called now and then with the number of entries seen. */
  readonly onProgress?: (seen: number) => void;
}

export interface FoundFiles {
  /** Relative to the root, in path order. */
  readonly paths: readonly FilePath[];
  /** True when there are more than `limit`. */
  readonly cut: boolean;
  /** Files that match but are hidden by the rules. */
  readonly hidden: number;
  /** Why the folder that the glob begins with was not gone into at all: ignore rules, or its name. */
  readonly closed?: 'ignored' | 'skipped';
  readonly trouble: WalkTrouble;
}

/** The files that match a glob, links to files included; hidden ones are only counted. */
export async function findFiles(workspace: Workspace, listing: FileListing): Promise<FoundFiles> {
  const base = baseOf(workspace, listing.glob.base);
  const found = { paths: [] as FilePath[], cut: false, hidden: 0 };
  const nothing: FoundFiles = { ...found, trouble: noWalkTrouble() };
  if (base === undefined) return nothing;
  if (base.rel.split('/').some((name) => listing.skip(name))) return { ...nothing, closed: 'skipped' };
  const { folder, trouble } = await openWalk(workspace, { ...listing, base });
  if (folder === undefined) return { ...nothing, closed: 'ignored', trouble };
  const pathOf = entryPaths(workspace.root);
  const visible = workspace.visibility();
  let seen = 0;
  await walkAll(folder, listing.signal, (entry) => {
    seen += 1;
    if (seen % 10_000 === 0) listing.onProgress?.(seen);
    if (!listing.glob.matches(entry.rel)) return true;
    const path = fileAt(workspace, entry, pathOf);
    if (path === undefined) return true;
    if (!visible(path)) found.hidden += 1;
    else if (found.paths.length === listing.limit) found.cut = true;
    else found.paths.push(path);
    return !found.cut;
  });
  return { ...found, trouble };
}

/** The folder a glob starts in; undefined when there is none, or only behind a link. */
function baseOf(workspace: Workspace, folder: string): FilePath | undefined {
  const path = resolvePath(workspace.root, folder, 'relative');
  return path.rel === path.given && workspace.stat(path)?.isDirectory() ? path : undefined;
}

/** A regular file's own place, or a link's; undefined for links to folders, pipes and the like. */
function fileAt(workspace: Workspace, entry: WalkEntry, pathOf: ReturnType<typeof entryPaths>): FilePath | undefined {
  if (entry.kind === 'other' || entry.kind === 'directory') return undefined;
  if (entry.kind === 'symlink' && leadsToFolder(join(workspace.root.real, entry.rel))) return undefined;
  return pathOf(entry.rel, entry.kind);
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
