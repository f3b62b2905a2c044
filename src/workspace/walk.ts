import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../base/error.ts';
import { silentMounts } from './distant-mounts.ts';
import {
  enterFolder,
  type IgnoreScope,
  type IgnoreSubject,
  type IgnoreVerdict,
  ignoreJudge,
  isOpenScope,
  judgeEntries,
} from './ignore.ts';
import { kernelMounts } from './kernel-mounts.ts';
import { refuseMount } from './mounts.ts';
import type { FilePath } from './path.ts';
import { type FolderEntries, folderReader } from './read-folder.ts';
import type { Workspace } from './workspace.ts';

export interface WalkOptions {
  /** The folder to walk. */
  readonly base: FilePath;
  /** Names of own ignore files, e.g. `.benchdogignore`. */
  readonly ignoreFiles: readonly string[];
  readonly includeIgnored: boolean;
  /** True leaves an entry out, whatever ignore rules say. */
  readonly skip: (name: string) => boolean;
  readonly signal: AbortSignal;
}

export interface WalkEntry {
  readonly name: string;
  /** Relative to the workspace root, `/` separators. */
  readonly rel: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** An open folder of a walk: its entries in path order (a folder sorts as its name with a `/`), and the way further down. */
export interface WalkFolder {
  readonly entries: readonly WalkEntry[];
  enter(entry: WalkEntry): Promise<WalkFolder>;
}

/** What a walk could not look at. Filled while it goes on. */
export interface WalkTrouble {
  /** Folders that could not be read. */
  readonly unreadable: string[];
  /** Entries whose names are not UTF-8; no path text can name them. */
  unspellable: number;
  /** Mounts that were not gone into because nothing answers there. */
  readonly silent: string[];
}

export function noWalkTrouble(): WalkTrouble {
  return { unreadable: [], unspellable: 0, silent: [] };
}

export interface Walk {
  /** Undefined when the base itself is ignored. */
  readonly folder: WalkFolder | undefined;
  readonly trouble: WalkTrouble;
}

/**
 * Opens a walk of the files below `base` as git sees them: ignored entries left out, tracked ones never, links listed
 * but not followed, dot files shown, nested repositories walked by their own rules, mounts of the kernel's own and those
 * where nothing answers not gone into. Nothing deeper is read until entered.
 */
export async function openWalk(workspace: Workspace, options: WalkOptions): Promise<Walk> {
  const trouble = noWalkTrouble();
  const { base, signal } = options;
  refuseMount(base);
  const root = workspace.root.real;
  const scope = options.includeIgnored
    ? { chains: [] }
    : await (await ignoreJudge(root, { files: options.ignoreFiles, signal })).scopeOf(base.rel);
  if (scope === undefined) return { folder: undefined, trouble };
  const closed = new Set(kernelMounts(workspace.root));
  const silent = new Set(await silentMounts(workspace.root));
  const walker = { workspace, options, trouble, read: folderReader(root), closed, silent };
  return {
    folder: await openFolder(walker, { rel: base.rel, entries: readEntries(walker, base.rel), scope }),
    trouble,
  };
}

/** Visits every entry below `folder` in path order; `visit` says whether to go on. Gives way to other work now and then. */
export async function walkAll(
  folder: WalkFolder,
  signal: AbortSignal,
  visit: (entry: WalkEntry) => boolean,
): Promise<void> {
  signal.throwIfAborted();
  const open = [{ folder, next: 0 }];
  let rest = Date.now();
  while (open.length > 0) {
    const at = open[open.length - 1]!;
    const entry = at.folder.entries[at.next];
    at.next += 1;
    if (entry === undefined) open.pop();
    else if (!visit(entry)) return;
    else if (entry.kind === 'directory') {
      open.push({ folder: await at.folder.enter(entry), next: 0 });
      if (Date.now() - rest < 10) continue;
      await new Promise(setImmediate);
      signal.throwIfAborted();
      rest = Date.now();
    }
  }
}

interface Walker {
  readonly workspace: Workspace;
  readonly options: WalkOptions;
  readonly read: (rel: string) => FolderEntries;
  readonly trouble: WalkTrouble;
  /** Folders that are listed and not gone into. */
  readonly closed: ReadonlySet<string>;
  /** The same, and told of. */
  readonly silent: ReadonlySet<string>;
}

/** `entries` is all there is in the folder: names that are skipped, such as `.git`, still tell what it is. */
interface OpenFolder {
  readonly rel: string;
  readonly entries: readonly Dirent[];
  readonly scope: IgnoreScope;
}

async function openFolder(walker: Walker, { rel, entries, scope }: OpenFolder): Promise<WalkFolder> {
  const prefix = rel === '.' ? '' : `${rel}/`;
  const wanted = entries.filter((entry) => !walker.options.skip(entry.name));
  const verdicts = isOpenScope(scope) ? [] : await judgeEntries(scope, wanted.map(asSubject));
  const verdictOf = new Map<string, IgnoreVerdict>();
  const shown: WalkEntry[] = [];
  for (const [at, entry] of wanted.entries()) {
    const verdict = verdicts[at];
    if (verdict === 'ignored') continue;
    if (verdict === 'buried') verdictOf.set(entry.name, verdict);
    shown.push({ name: entry.name, rel: prefix + entry.name, kind: kindOf(entry) });
  }
  return {
    entries: shown.sort(byPath),
    enter(entry) {
      if (walker.closed.has(entry.rel)) return Promise.resolve(nothing);
      if (walker.silent.has(entry.rel)) {
        walker.trouble.silent.push(entry.rel);
        return Promise.resolve(nothing);
      }
      const inner = readEntries(walker, entry.rel);
      const { signal, includeIgnored } = walker.options;
      const has = (name: string) => inner.some((one) => one.name === name);
      const abs = join(walker.workspace.root.real, entry.rel);
      const verdict = verdictOf.get(entry.name) ?? 'shown';
      const innerScope = includeIgnored ? scope : enterFolder(scope, { name: entry.name, abs, verdict, has }, signal);
      return openFolder(walker, { rel: entry.rel, entries: inner, scope: innerScope });
    },
  };
}

const nothing: WalkFolder = { entries: [], enter: () => Promise.resolve(nothing) };

function asSubject(entry: Dirent): IgnoreSubject {
  return { name: entry.name, directory: entry.isDirectory() };
}

function readEntries({ read, trouble }: Walker, rel: string): readonly Dirent[] {
  try {
    const { entries, unspellable } = read(rel);
    trouble.unspellable += unspellable;
    return entries;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') trouble.unreadable.push(rel);
    return [];
  }
}

function kindOf(entry: Dirent): WalkEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

function byPath(a: WalkEntry, b: WalkEntry): number {
  const [left, right] = [sortKey(a), sortKey(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function sortKey(entry: WalkEntry): string {
  return entry.kind === 'directory' ? `${entry.name}/` : entry.name;
}
