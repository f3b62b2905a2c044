import { closeSync } from 'node:fs';
import { systemCode } from '../base/error.ts';
import { currentState } from './current.ts';
import type { Disk } from './disk.ts';
import type { Found } from './expect.ts';
import type { Journal } from './journal.ts';
import type { Operation } from './operation.ts';

type Replace = Extract<Operation, { type: 'replace' }>;

/**
 * The files that need no copy of their old content in the journal: a new file takes their name, and the old one itself
 * becomes the kept content. Not where another operation writes over the same content in place.
 */
export function keptAsFiles(operations: readonly Operation[], found: Found, journal: Journal): Replace[] {
  const copied = new Set(operations.flatMap((one) => (one.type === 'rewrite' ? [one.before.digest] : [])));
  return operations.filter((one): one is Replace => {
    if (one.type !== 'replace' || one.before.kind !== 'file' || copied.has(one.before.digest)) return false;
    return journal.adopts(found.get(one.path)!) && !journal.holds(one.before);
  });
}

const syncedAtOnce = 16;
const few = 2;

/** Brings files to the disk that were perhaps written only just now: as kept contents they must outlast a power cut. */
export async function syncOld(disk: Disk, operations: readonly Replace[], found: Found): Promise<void> {
  for (let at = 0; at < operations.length; at += syncedAtOnce) {
    await Promise.all(
      operations.slice(at, at + syncedAtOnce).map(async ({ path }) => {
        const fd = disk.openToRead(path, found.get(path));
        await disk.sync(fd, { many: operations.length > few }).finally(() => closeSync(fd));
      }),
    );
  }
}

/** After all is applied: the old files that were set aside and are kept nowhere else go into the journal. */
export async function keepAsides(disk: Disk, journal: Journal, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.type !== 'replace' || operation.before.kind !== 'file') continue;
    const { aside, before } = operation;
    const stats = disk.look(aside);
    if (stats === undefined || journal.holds(before)) continue;
    if (!journal.adopts(stats) || !adopted(disk, journal, operation))
      await keepCopy(disk, journal, aside, before.digest);
  }
}

/** Keeps a copy of what is at `path`, if it is still what the journal speaks of. */
export async function keepCopy(disk: Disk, journal: Journal, path: string, digest: string): Promise<void> {
  const state = currentState(disk, path);
  if (state?.digest !== digest) return;
  await journal.keep(new Map([[digest, state.bytes]]), disk.step);
  await journal.settle();
}

function adopted(disk: Disk, journal: Journal, { aside, before }: Replace): boolean {
  try {
    journal.adopt(before.digest, (place) => disk.moveOut(aside, place));
    return true;
  } catch (error) {
    // Two mounts of one disk.
    if (systemCode(error) === 'EXDEV') return false;
    throw error;
  }
}
