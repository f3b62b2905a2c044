import { relative } from 'node:path';
import { mountPoint, mountTable } from '../process/mount-table.ts';
import type { Root } from './path.ts';

/** A place below the root where something else is mounted. */
export interface Mounted {
  readonly abs: string;
  /** Relative to the root. */
  readonly rel: string;
  /** The file system by the kernel's name for it, e.g. `nfs4`, `fuse.sshfs`. */
  readonly type: string;
}

/**
 * What is mounted below the root, at each place what was mounted last: it covers the rest. Empty where there is no table.
 *
 * @param table as proc(5) describes `/proc/PID/mountinfo`; default: that of this process
 */
export function mountsBelow(root: Root, table = mountTable()): readonly Mounted[] {
  const types = new Map<string, string>();
  for (const line of table.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4];
    if (place !== undefined) types.set(mountPoint(place), after.split(' ')[0] ?? '');
  }
  const below = root.real === '/' ? '/' : `${root.real}/`;
  return [...types]
    .filter(([abs]) => abs !== root.real && abs.startsWith(below))
    .map(([abs, type]) => ({ abs, rel: relative(root.real, abs), type }));
}
