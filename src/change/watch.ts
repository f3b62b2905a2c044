import { lstatSync, type Stats } from 'node:fs';
import { entryPathMaker } from '../workspace/entry-path.ts';
import type { FileState } from '../workspace/file-state.ts';
import { resolvePath } from '../workspace/path.ts';
import { openWalk, walkAll } from '../workspace/walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Change, ChangeSet } from './change.ts';
import { currentState } from './current.ts';
import { type Disk, openDisk } from './disk.ts';
import { pairRenames } from './rename-pairs.ts';

/** Notices what a command changes on the workspace itself, by looking before and after. */
export interface Watch {
  /** Undefined in a workspace with too many files to look at each time. */
  begin(signal: AbortSignal): Promise<Watching | undefined>;
}

export interface Watching {
  end(signal: AbortSignal): Promise<Noticed>;
}

export interface Noticed {
  readonly changes: ChangeSet;
  /** Files that were changed and whose old content is not known: too large, or not to be read. */
  readonly lost: readonly string[];
}

/** Files looked at; ignored ones are not. Looking at more would take longer than many a command. */
const maxFiles = 2000;
/** Bytes of a file whose content is remembered, and of all of them. */
const maxFileBytes = 1024 * 1024;
const maxBytes = 16 * 1024 * 1024;
/** A file changed this shortly before it was read may be changed again without a later time, in ms. */
const racy = 50;

interface Seen {
  /** Numbers, since bigint ones take twice as long to make; they tell times apart that are a quarter of a microsecond apart. */
  readonly stats: Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs' | 'mode'>;
  readonly readAtMs: number;
  /** Undefined when it is too large to be remembered, or may not be read. */
  readonly state?: FileState;
}

type Look = ReadonlyMap<string, Seen>;

export function openWatch(workspace: Workspace, ignoreFiles: readonly string[]): Watch {
  let last: Look | undefined = new Map();
  // Commands side by side share one picture of before: whoever ends first has what is new since, so nothing counts twice.
  let running = 0;
  const inTurn = turns();
  const look = async (signal: AbortSignal) => {
    const paths = last && (await pathsOf(workspace, ignoreFiles, signal));
    last = last && paths && seenAt(workspace, paths, last);
  };
  // What can't be looked at is not noticed; the command is none the worse for it.
  const looked = (signal: AbortSignal) =>
    look(signal).then(
      () => last !== undefined,
      () => false,
    );

  const end = (signal: AbortSignal): Promise<Noticed> =>
    inTurn(async () => {
      running -= 1;
      const before = last;
      return (await looked(signal)) ? difference(workspace, before!, last!) : nothing;
    });
  return {
    begin: (signal) =>
      inTurn(async () => {
        if (running === 0 && !(await looked(signal))) return undefined;
        running += 1;
        return { end };
      }),
  };
}

const nothing: Noticed = { changes: [], lost: [] };

/** Runs work one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = before.then(work);
    before = mine.catch(() => {});
    return mine;
  };
}

async function pathsOf(workspace: Workspace, ignoreFiles: readonly string[], signal: AbortSignal) {
  const base = resolvePath(workspace.root, '.', 'relative');
  const skip = (name: string) => name === '.git' || name === 'node_modules';
  const { folder } = await openWalk(workspace, { base, ignoreFiles, includeIgnored: false, skip, signal });
  const paths: string[] = [];
  if (folder === undefined) return paths;
  await walkAll(folder, signal, ({ kind, rel }) => {
    if (kind === 'file' || kind === 'symlink') paths.push(rel);
    return paths.length <= maxFiles;
  });
  return paths.length > maxFiles ? undefined : paths;
}

function seenAt(workspace: Workspace, paths: readonly string[], last: Look): Look {
  const disk = openDisk(workspace.root);
  const seen = new Map<string, Seen>();
  let room = maxBytes;
  try {
    for (const path of paths) {
      const one = seeOne(disk, path, last.get(path), room);
      if (one === undefined) continue;
      room -= one.state?.bytes.length ?? 0;
      seen.set(path, one);
    }
    return seen;
  } finally {
    disk.close();
  }
}

function seeOne(disk: Disk, path: string, last: Seen | undefined, room: number): Seen | undefined {
  // The usual case is a file that is as it was: one look at it, and nothing is opened or made.
  const stats = statsOf(`${disk.root.real}/${path}`);
  if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) return undefined;
  if (last !== undefined && isSame(last.stats, stats) && last.readAtMs - stats.ctimeMs > racy) return last;
  const seen = { stats, readAtMs: Date.now() };
  if (stats.size > Math.min(room, maxFileBytes)) return seen;
  const state = stateOf(disk, path);
  return state === undefined ? seen : { ...seen, state };
}

function isSame(one: Seen['stats'], other: Seen['stats']): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mode === other.mode
  );
}

function statsOf(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined for what may not be read, or is gone by now. */
function stateOf(disk: Disk, path: string): FileState | undefined {
  try {
    return currentState(disk, path);
  } catch {
    return undefined;
  }
}

function difference({ root }: Workspace, before: Look, after: Look): Noticed {
  const pathOf = entryPathMaker(root);
  const changes: Change[] = [];
  const lost: string[] = [];
  for (const rel of changedNames(before, after)) {
    const [old, now] = [before.get(rel), after.get(rel)];
    const known = (old === undefined || old.state !== undefined) && (now === undefined || now.state !== undefined);
    if (known) changes.push(...changeOf(pathOf(rel), old?.state, now?.state));
    else lost.push(rel);
  }
  return { changes: pairRenames(changes), lost };
}

function changedNames(before: Look, after: Look): string[] {
  const isChanged = (old: Seen | undefined, now: Seen) =>
    old !== now && (old === undefined || !isSame(old.stats, now.stats) || old.state?.digest !== now.state?.digest);
  const changed = [...after].filter(([rel, now]) => isChanged(before.get(rel), now)).map(([rel]) => rel);
  const gone = [...before.keys()].filter((rel) => !after.has(rel));
  return [...changed, ...gone].sort();
}

function changeOf(
  path: Change['path'],
  before: FileState | undefined,
  after: FileState | undefined,
): readonly Change[] {
  if (before === undefined) return after === undefined ? [] : [{ type: 'create', path, after }];
  if (after === undefined) return [{ type: 'delete', path, before }];
  const same = before.digest === after.digest && before.mode === after.mode && before.kind === after.kind;
  return same ? [] : [{ type: 'modify', path, before, after }];
}
