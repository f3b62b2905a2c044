import { accessSync, type BigIntStats, constants } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../base/error.ts';
import type { Change, ChangeSet, ChangeSummary } from './change.ts';
import { markOfState } from './current.ts';
import { besideOf, type Disk, folderOf } from './disk.ts';
import type { Found } from './expect.ts';
import type { JournaledChange } from './journal.ts';
import type { Operation, Owner } from './operation.ts';

/** Turns changes into the operations that carry them out. `name` makes the working files' names unique. */
export function draftOperations(changes: ChangeSet, found: Found, name: string, exact: boolean): Operation[] {
  const operations: Operation[] = [];
  const working = (beside: string, suffix: 'new' | 'old') =>
    besideOf(beside, `.benchdog-${name}-${operations.length}.${suffix}`);
  for (const change of changes) {
    const path = change.path.rel;
    switch (change.type) {
      case 'create':
        operations.push({ type: 'place', path, temp: working(path, 'new'), after: markOfState(change.after), exact });
        break;
      case 'delete':
        operations.push({ type: 'remove', path, aside: working(path, 'old'), before: markOfState(change.before) });
        break;
      case 'modify':
        operations.push(modification(change, found.get(path)!, working));
        break;
      case 'rename': {
        const before = markOfState(change.before);
        const after = markOfState(change.after);
        const to = change.to.rel;
        if (before.digest === after.digest && before.mode === after.mode && before.kind === after.kind) {
          operations.push({ type: 'move', path, to, before });
          break;
        }
        const owner = ownerToKeep(found.get(path)!);
        operations.push({ type: 'remove', path, aside: working(path, 'old'), before });
        operations.push({ type: 'place', path: to, temp: working(to, 'new'), after, exact: true, ...owner });
      }
    }
  }
  return operations;
}

function modification(
  change: Change & { type: 'modify' },
  stats: BigIntStats,
  working: (beside: string, suffix: 'new' | 'old') => string,
): Operation {
  const path = change.path.rel;
  const before = markOfState(change.before);
  const after = markOfState(change.after);
  if (before.kind === 'file' && after.kind === 'file' && mustKeepInode(change, stats)) {
    return { type: 'rewrite', path, before, after };
  }
  const names = { temp: working(path, 'new'), aside: working(path, 'old') };
  return { type: 'replace', path, ...names, before, after, ...ownerToKeep(stats) };
}

/**
 * A new inode would cut off the other names of a hard link, change the owner, or can't be made in this folder. Extended
 * attributes and access lists don't count: Node can't see them, so a new inode has those that its folder hands down.
 */
function mustKeepInode(change: Change & { type: 'modify' }, stats: BigIntStats): boolean {
  const onlyMode = change.before.digest === change.after.digest;
  return onlyMode || stats.nlink > 1n || !canOwn(stats) || !canWriteIn(dirname(change.path.abs));
}

function canOwn(stats: BigIntStats): boolean {
  const me = process.geteuid?.();
  if (me === undefined || me === 0) return true;
  if (Number(stats.uid) !== me) return false;
  const group = Number(stats.gid);
  return group === process.getegid?.() || (process.getgroups?.() ?? []).includes(group);
}

function canWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function ownerToKeep(stats: BigIntStats): { owner?: Owner } {
  if (process.geteuid === undefined) return {};
  return { owner: { uid: Number(stats.uid), gid: Number(stats.gid) } };
}

/** The folders that new files need and that are not there yet, outermost first. */
export function missingFolders(disk: Disk, changes: ChangeSet): string[] {
  const missing = new Set<string>();
  for (const change of changes) {
    if (change.type !== 'create' && change.type !== 'rename') continue;
    const chain: string[] = [];
    let folder = folderOf(change.type === 'create' ? change.path.rel : change.to.rel);
    for (; folder !== '.' && !missing.has(folder); folder = folderOf(folder)) {
      if (isFolder(disk, folder)) break;
      chain.unshift(folder);
    }
    for (const one of chain) missing.add(one);
  }
  return [...missing];
}

/** Throws `conflict` when something that is no folder has the name. */
function isFolder(disk: Disk, path: string): boolean {
  const stats = disk.look(path);
  if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  throw new ToolError('conflict', `${path} is a file, so nothing can be created below it. Nothing was changed.`);
}

/** What the journal keeps of each change. `summaries`, in the same order, carry line counts where they are known. */
export function journaledChanges(changes: ChangeSet, summaries: readonly ChangeSummary[] = []): JournaledChange[] {
  return changes.map((change, index) => ({
    type: change.type,
    path: change.path.rel,
    ...(change.type === 'rename' ? { to: change.to.rel } : {}),
    added: summaries[index]?.added ?? 0,
    removed: summaries[index]?.removed ?? 0,
    ...('before' in change ? { before: markOfState(change.before) } : {}),
    ...('after' in change ? { after: markOfState(change.after) } : {}),
  }));
}
