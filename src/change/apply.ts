import { closeSync, fstatSync } from 'node:fs';
import { systemCode, ToolError } from '../base/error.ts';
import type { Disk } from './disk.ts';
import { isOtherSpelling } from './expect.ts';
import type { Journal } from './journal.ts';
import { keepCopy } from './keep-old.ts';
import type { Operation } from './operation.ts';
import { applySwap } from './swap-apply.ts';

/** Bytes by digest, for what is written in place. */
export type ContentOf = (digest: string) => Promise<Buffer | undefined>;

/** Carries out one operation whose temp file is ready. Applying one that is already half applied completes it. */
export async function applyOperation(
  disk: Disk,
  operation: Operation,
  journal: Journal,
  contentOf: ContentOf,
): Promise<void> {
  switch (operation.type) {
    case 'place':
      return place(disk, operation);
    case 'replace':
      return replace(disk, operation, journal);
    case 'rewrite':
      return rewriteInPlace(disk, operation, 'after', contentOf);
    case 'move':
      return move(disk, operation.path, operation.to);
    case 'remove':
      return disk.rename(operation.path, operation.aside);
    case 'swap':
      return applySwap(disk, operation);
  }
}

function place(disk: Disk, { path, temp, after }: Operation & { type: 'place' }): void {
  // A hard link is the one way to take a name only if it is free.
  if (after.kind === 'file' && tryLink(disk, temp, path)) {
    disk.remove(temp);
    return;
  }
  if (disk.look(path) !== undefined) throw taken(path);
  disk.rename(temp, path);
}

async function replace(disk: Disk, operation: Operation & { type: 'replace' }, journal: Journal): Promise<void> {
  const { path, temp, aside, before } = operation;
  if (before.kind === 'file' && !setAside(disk, path, aside)) {
    // Nothing else will have the old bytes.
    if (!journal.holds(before)) await keepCopy(disk, journal, path, before.digest);
  }
  disk.rename(temp, path);
}

/** The old file gets a second name, unless it has it from an earlier try; false where hard links can't be made. */
function setAside(disk: Disk, path: string, aside: string): boolean {
  try {
    return tryLink(disk, path, aside);
  } catch (error) {
    if (disk.look(aside) !== undefined) return true;
    throw error;
  }
}

/** Gives a file another name, if that is free; completes a move that got only as far as having both names. */
export function move(disk: Disk, path: string, to: string): void {
  const source = disk.look(path);
  const target = disk.look(to);
  if (source === undefined) throw new ToolError('stale', `${path} is gone.`);
  if (target === undefined) {
    if (source.isFile() && tryLink(disk, path, to)) disk.remove(path);
    else disk.rename(path, to);
    return;
  }
  if (isOtherSpelling(disk, path, to, source, target)) disk.rename(path, to);
  else if (source.ino === target.ino && source.dev === target.dev) disk.remove(path);
  else throw taken(to);
}

/** Makes `to` a second name; false where this disk or its owner forbids hard links. */
function tryLink(disk: Disk, path: string, to: string): boolean {
  try {
    disk.link(path, to);
    return true;
  } catch (error) {
    switch (systemCode(error)) {
      case 'EEXIST':
        throw taken(to);
      case 'EPERM':
      case 'ENOTSUP':
      case 'EOPNOTSUPP':
      case 'ENOSYS':
      case 'EMLINK':
      case 'EACCES':
        return false;
      default:
        throw error;
    }
  }
}

/** Gives an existing file the bytes and mode of one side of `operation`, keeping the file itself. */
export async function rewriteInPlace(
  disk: Disk,
  operation: Operation & { type: 'rewrite' },
  side: 'before' | 'after',
  contentOf: ContentOf,
): Promise<void> {
  const to = operation[side];
  const onlyMode = operation.before.digest === operation.after.digest;
  const bytes = onlyMode ? undefined : await contentOf(to.digest);
  if (bytes === undefined && !onlyMode) throw new ToolError('failed', `The content for ${operation.path} is not kept.`);
  const fd = bytes === undefined ? disk.openToRead(operation.path) : disk.openToWrite(operation.path);
  try {
    if (bytes !== undefined) {
      await disk.write(fd, bytes);
      if (fstatSync(fd).size !== bytes.length) disk.truncate(fd, bytes.length);
    }
    if ((fstatSync(fd).mode & 0o7777) !== to.mode) disk.chmod(fd, to.mode);
    await disk.sync(fd);
  } finally {
    closeSync(fd);
  }
}

function taken(path: string): ToolError {
  return new ToolError('conflict', `${path} already exists.`);
}
