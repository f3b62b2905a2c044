import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/error.ts';
import { makeOwnFolder } from '../base/own-folder.ts';
import { isWithin } from './mount-table.ts';

/** A folder for views, or why there is none. */
export type Place = { readonly folder: string } | { readonly reason: string };

/**
 * Where the views of a workspace lie: on its own file system, so that what a command wrote gets into the workspace by
 * renaming, and outside of it, since a view can't lie within what it shows. First choice is our state folder, then a hidden
 * one beside the workspace. Made when missing, owner-only.
 */
export function viewPlace(root: string, home: string): Place {
  const device = lstatSync(root).dev;
  for (const folder of viewPlaces(root, home)) {
    const base = dirname(dirname(folder));
    if (isApart(base, root) && deviceAbove(folder) === device && makeOwnerOnly(base, folder)) return { folder };
  }
  return { reason: 'no folder of ours lies on the file system of the workspace' };
}

/** Where the views of a workspace may lie. */
export function viewPlaces(root: string, home: string): readonly string[] {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
  const beside = join(dirname(root), `.benchdog-${process.getuid?.() ?? 'views'}`);
  return [home, beside].map((base) => join(base, 'views', name));
}

/** Neither within the workspace nor around it. */
function isApart(folder: string, root: string): boolean {
  return !isWithin(folder, root) && !isWithin(root, folder);
}

/** The file system on which `folder` lies or would lie. */
function deviceAbove(folder: string): number {
  for (let at = folder; ; at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats !== undefined) return stats.dev;
  }
}

/** A folder that others may write in could have its content changed between the command and the commit. */
function makeOwnerOnly(base: string, folder: string): boolean {
  try {
    makeOwnFolder(folder);
    const stats = lstatSync(folder);
    const mine = process.getuid === undefined || (stats.uid === process.getuid() && lstatSync(base).uid === stats.uid);
    if (!mine || !stats.isDirectory()) return false;
    chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Makes the link beside views that leads to the workspace: as part of mount options its path could mean something else. */
export function pointAt(folder: string, root: string): void {
  const link = join(folder, 'lower');
  try {
    symlinkSync(root, link);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    if (readlinkSync(link) === root) return;
    unlinkSync(link);
    symlinkSync(root, link);
  }
}
