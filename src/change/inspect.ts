import { closeSync, fstatSync, readSync } from 'node:fs';
import type { ContentOf } from './apply.ts';
import { currentState } from './current.ts';
import type { Disk } from './disk.ts';
import { isOtherSpelling } from './expect.ts';
import type { Mark } from './journal.ts';
import type { Operation } from './operation.ts';
import type { Progress } from './progress.ts';
import { inspectSwap } from './swap-apply.ts';

export async function inspect(disk: Disk, operation: Operation, contentOf: ContentOf): Promise<Progress> {
  switch (operation.type) {
    case 'place':
      return inspectPlace(disk, operation);
    case 'replace':
      return inspectReplace(disk, operation);
    case 'rewrite':
      return inspectRewrite(disk, operation, contentOf);
    case 'move':
      return inspectMove(disk, operation);
    case 'remove':
      return inspectRemove(disk, operation);
    case 'swap':
      return inspectSwap(disk, operation);
  }
}

function inspectPlace(disk: Disk, { path, temp, after, exact }: Operation & { type: 'place' }): Progress {
  const staged = disk.look(temp);
  const target = disk.look(path);
  if (target !== undefined) {
    if (staged !== undefined) return staged.ino === target.ino && staged.dev === target.dev ? 'applied' : 'blocked';
    return is(disk, path, after) ? 'applied' : 'foreign';
  }
  return staged !== undefined && is(disk, temp, after, exact) ? 'ready' : 'unready';
}

function inspectReplace(disk: Disk, { path, temp, before, after }: Operation & { type: 'replace' }): Progress {
  const isOld = is(disk, path, before);
  if (disk.look(temp) !== undefined) return !isOld ? 'blocked' : is(disk, temp, after, true) ? 'ready' : 'unready';
  if (is(disk, path, after)) return 'applied';
  return isOld ? 'unready' : 'foreign';
}

async function inspectRewrite(
  disk: Disk,
  operation: Operation & { type: 'rewrite' },
  contentOf: ContentOf,
): Promise<Progress> {
  const { path, before, after } = operation;
  if (is(disk, path, after, true)) return 'applied';
  if (before.digest === after.digest) return is(disk, path, before) ? 'ready' : 'foreign';
  const [old, next] = [await contentOf(before.digest), await contentOf(after.digest)];
  if (is(disk, path, before) || is(disk, path, after)) return next === undefined ? 'unready' : 'ready';
  return old !== undefined && next !== undefined && isMixture(disk, path, old, next) ? 'ready' : 'foreign';
}

function inspectMove(disk: Disk, { path, to, before }: Operation & { type: 'move' }): Progress {
  const source = disk.look(path);
  const target = disk.look(to);
  if (source !== undefined && target !== undefined) {
    if (isOtherSpelling(disk, path, to, source, target)) return 'ready';
    return source.ino === target.ino && source.dev === target.dev ? 'ready' : 'blocked';
  }
  if (source !== undefined) return is(disk, path, before) ? 'ready' : 'blocked';
  return target !== undefined && is(disk, to, before) ? 'applied' : 'foreign';
}

function inspectRemove(disk: Disk, { path, aside, before }: Operation & { type: 'remove' }): Progress {
  const there = disk.look(path) !== undefined;
  if (disk.look(aside) !== undefined) return there ? 'foreign' : 'applied';
  if (!there) return 'applied';
  return is(disk, path, before) ? 'ready' : 'blocked';
}

/** True when `path` holds what `mark` says; the mode is compared only where asked, and never a link's. */
export function is(disk: Disk, path: string, mark: Mark, withMode = false): boolean {
  const stats = disk.look(path);
  if (stats === undefined || (mark.kind === 'file' ? !stats.isFile() : !stats.isSymbolicLink())) return false;
  if (mark.kind === 'file' && Number(stats.size) !== mark.size) return false;
  if (withMode && mark.kind === 'file' && (Number(stats.mode) & 0o7777) !== mark.mode) return false;
  return currentState(disk, path)?.digest === mark.digest;
}

/** The file system's own unit: after a crash each block of a file written in place is the old one or the new one. */
const blockBytes = 4096;

/** True when a file is what an interrupted write of `next` over `old` leaves, and not somebody's edit. */
function isMixture(disk: Disk, path: string, old: Buffer, next: Buffer): boolean {
  if (!disk.look(path)?.isFile()) return false;
  const fd = disk.openToRead(path);
  try {
    const { size } = fstatSync(fd);
    if (size < Math.min(old.length, next.length) || size > Math.max(old.length, next.length)) return false;
    const block = Buffer.alloc(blockBytes);
    for (let at = 0; at < size; at += blockBytes) {
      const count = readSync(fd, block, 0, blockBytes, at);
      if (!isMixedBlock(block.subarray(0, count), old.subarray(at, at + count), next.subarray(at, at + count)))
        return false;
    }
    return true;
  } finally {
    closeSync(fd);
  }
}

/** New bytes up to some place, old ones after it. */
function isMixedBlock(block: Buffer, old: Buffer, next: Buffer): boolean {
  let at = 0;
  while (at < next.length && block[at] === next[at]) at += 1;
  return at === block.length || (old.length === block.length && block.compare(old, at, old.length, at) === 0);
}
