import { lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import type { Disk } from './disk.ts';
import type { SwapOperation } from './operation.ts';
import type { Progress } from './progress.ts';
import { readTree } from './tree.ts';

/** Moves the old thing away and the new one in; completes a swap that was cut short. A file is never missing in between. */
export function applySwap(disk: Disk, { path, from, keep, before }: SwapOperation): void {
  if (before !== undefined && !isThere(keep)) setAside(disk, path, keep, from);
  if (from === undefined || !isThere(from)) return;
  const there = disk.look(path);
  if (there !== undefined && !isSecondName(disk, path, keep))
    throw new ToolError('conflict', `${path} already exists.`);
  disk.moveIn(from, path);
}

/** A file that gets a successor keeps its name until then, where the disk and its owner allow a second one. */
function setAside(disk: Disk, path: string, keep: string, from: string | undefined): void {
  const staysInPlace = from !== undefined && disk.look(path)?.isFile() === true && lstatSync(from).isFile();
  if (staysInPlace && tryLinkOut(disk, path, keep)) return;
  disk.moveOut(path, keep);
}

function tryLinkOut(disk: Disk, path: string, keep: string): boolean {
  try {
    disk.linkOut(path, keep);
    return true;
  } catch (error) {
    if (noLinks.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** This disk, or the owner of the file, allows no hard links. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** How far a swap came; see `Progress`. */
export function inspectSwap(disk: Disk, { path, from, keep, before, after }: SwapOperation): Progress {
  const here = disk.look(path) === undefined ? undefined : stampAt(disk, path);
  const waits = from !== undefined && isThere(from);
  const aside = isThere(keep);
  if (aside && isSecondName(disk, path, keep)) return waits ? 'ready' : 'foreign';
  if (from !== undefined && !waits) return here === after ? 'applied' : 'foreign';
  if (before !== undefined && !aside) return here === before ? 'ready' : here === undefined ? 'foreign' : 'blocked';
  if (here !== undefined) return aside ? 'foreign' : 'blocked';
  return waits ? 'ready' : 'applied';
}

/** Moves everything back to where it was. */
export function revertSwap(disk: Disk, { path, from, keep }: SwapOperation): void {
  if (isThere(keep) && isSecondName(disk, path, keep)) {
    disk.step(`forget ${keep}`);
    unlinkSync(keep);
    return;
  }
  if (from !== undefined && !isThere(from) && disk.look(path) !== undefined) disk.moveOut(path, from);
  if (isThere(keep) && disk.look(path) === undefined) disk.moveIn(keep, path);
}

/** What stands at a path of the workspace, as its stamp. */
function stampAt({ root }: Pick<Disk, 'root'>, path: string): string | undefined {
  return readTree(join(root.real, path))?.stamp;
}

function isSecondName(disk: Disk, path: string, keep: string): boolean {
  const there = disk.look(path);
  if (there === undefined || !there.isFile()) return false;
  const kept = lstatSync(keep, { bigint: true, throwIfNoEntry: false });
  return kept !== undefined && kept.ino === there.ino && kept.dev === there.dev;
}

function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}
