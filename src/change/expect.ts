import type { BigIntStats } from 'node:fs';
import { ToolError } from '../base/error.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import type { ChangeSet } from './change.ts';
import { holds, refuseOther } from './current.ts';
import { type Disk, folderOf, nameOf } from './disk.ts';

/** What stands at the paths that changes start from, as it was when their `before` was found to hold. */
export type Found = ReadonlyMap<string, BigIntStats>;

const again = 'Nothing was changed. Read it again and send a change made for what it is now.';

/** Checks that everything is as the changes believe it to be. Throws `stale` or `conflict`; touches nothing. */
export function expectBefore(disk: Disk, changes: ChangeSet): Found {
  const found = new Map<string, BigIntStats>();
  const rewritten = new Map<string, FilePath>();
  for (const change of changes) {
    if (change.type === 'create') {
      expectAbsent(disk, change.path);
      continue;
    }
    const stats = expectState(disk, change.path, change.before);
    found.set(change.path.rel, stats);
    if (change.type === 'rename') expectFree(disk, change.path, change.to, stats);
    if (change.type === 'modify') refuseTwoNames(rewritten, change.path, stats);
    if (change.type !== 'delete') refuseReadOnly(change.path, change.before, change.after);
  }
  return found;
}

/** Two names of one file can't get two contents. */
function refuseTwoNames(rewritten: Map<string, FilePath>, path: FilePath, stats: BigIntStats): void {
  const key = `${stats.dev}:${stats.ino}`;
  const other = rewritten.get(key);
  rewritten.set(key, path);
  if (other === undefined) return;
  const text = `${other.given} and ${path.given} are two names of one file (a hard link). Nothing was changed.`;
  throw new ToolError('conflict', `${text} Change one of them; the other follows.`);
}

function expectAbsent(disk: Disk, path: FilePath): void {
  if (disk.look(path.rel) === undefined) return;
  throw new ToolError('conflict', `${path.given} already exists. Nothing was changed.`);
}

function expectState(disk: Disk, path: FilePath, before: FileState): BigIntStats {
  const stats = disk.look(path.rel);
  if (stats === undefined) {
    throw new ToolError(
      'stale',
      `${path.given} is gone: it was deleted or moved since it was read. Nothing was changed.`,
    );
  }
  refuseOther(stats, path.given);
  if (!holds(disk, path.rel, stats, before)) throw new ToolError('stale', changedText(path, stats, before));
  const mode = Number(stats.mode) & 0o7777;
  if (before.kind === 'file' && mode !== before.mode) {
    const text = `its mode is now ${octal(mode)}, it was ${octal(before.mode)}`;
    throw new ToolError('stale', `${path.given} changed since it was read: ${text}. ${again}`);
  }
  return stats;
}

function changedText(path: FilePath, stats: BigIntStats, before: FileState): string {
  const size = Number(stats.size);
  const now = stats.isSymbolicLink()
    ? 'it is now a symbolic link'
    : size === before.bytes.length
      ? `its bytes differ (still ${size} bytes)`
      : `it has ${size} bytes now, it had ${before.bytes.length}`;
  return `${path.given} changed since it was read: ${now}. ${again}`;
}

function expectFree(disk: Disk, path: FilePath, to: FilePath, source: BigIntStats): void {
  const target = disk.look(to.rel);
  if (target === undefined || isOtherSpelling(disk, path.rel, to.rel, source, target)) return;
  throw new ToolError(
    'conflict',
    `${to.given} already exists; ${path.given} can't be renamed to it. Nothing was changed.`,
  );
}

/** True on a disk that folds case (or Unicode forms) when both names are one entry of one folder. */
export function isOtherSpelling(
  disk: Disk,
  path: string,
  to: string,
  source: BigIntStats,
  target: BigIntStats,
): boolean {
  if (source.ino !== target.ino || source.dev !== target.dev || folderOf(path) !== folderOf(to)) return false;
  return !disk.siblings(to).includes(nameOf(to));
}

/** A file nobody may write is protected on purpose; replacing it by a new one would go around that. */
function refuseReadOnly(path: FilePath, before: FileState, after: FileState): void {
  if (before.kind !== 'file' || before.digest === after.digest) return;
  if (((before.mode | after.mode) & 0o222) !== 0) return;
  throw new ToolError(
    'failed',
    `${path.given} is read-only (mode ${octal(before.mode)}). Nothing was changed. If it is meant to be edited, make it writable first.`,
  );
}

function octal(mode: number): string {
  return `0${mode.toString(8).padStart(3, '0')}`;
}
