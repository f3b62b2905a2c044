import { closeSync, fstatSync } from 'node:fs';
import type { Disk } from './disk.ts';
import type { Operation } from './operation.ts';

/** How many temp files are synced at once. */
const atOnce = 16;
/** So few are synced one by one. */
const few = 2;

/** The new contents by digest. */
export type Contents = ReadonlyMap<string, Buffer>;

/** Writes each new content beside its target and brings it to the disk. No target is touched. */
export async function stage(disk: Disk, operations: readonly Operation[], contents: Contents): Promise<void> {
  const many = operations.length > few;
  let syncing: Promise<void>[] = [];
  try {
    for (const operation of operations) {
      if (operation.type !== 'place' && operation.type !== 'replace') continue;
      syncing.push((await writeTemp(disk, operation, contents.get(operation.after.digest)!, many)).synced);
      if (syncing.length < atOnce) continue;
      const some = syncing;
      syncing = [];
      await Promise.all(some);
    }
  } finally {
    await Promise.allSettled(syncing);
  }
  await Promise.all(syncing);
}

type Staged = Extract<Operation, { type: 'place' | 'replace' }>;

/** Writes one temp file and returns its sync under way; the file is never open to more people than its target. */
async function writeTemp(
  disk: Disk,
  operation: Staged,
  bytes: Buffer,
  many: boolean,
): Promise<{ synced: Promise<void> }> {
  const { temp, after } = operation;
  if (after.kind === 'symlink') {
    disk.makeLink(temp, bytes);
    return { synced: Promise.resolve() };
  }
  const keepsMode = operation.type === 'replace' || operation.exact;
  const fd = disk.create(temp, keepsMode ? after.mode & 0o600 : after.mode & 0o777);
  try {
    if (operation.owner !== undefined) giveTo(disk, fd, operation.owner);
    await disk.write(fd, bytes);
    // Last, since a change of owner and a write both take setuid bits away.
    if (keepsMode) disk.chmod(fd, after.mode);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { synced: disk.sync(fd, { many }).finally(() => closeSync(fd)) };
}

function giveTo(disk: Disk, fd: number, owner: { uid: number; gid: number }): void {
  const stats = fstatSync(fd);
  if (stats.uid !== owner.uid || stats.gid !== owner.gid) disk.chown(fd, owner.uid, owner.gid);
}
