import { relative } from 'node:path';
import { ToolError } from '../base/error.ts';
import { mountPoint, mountTable } from '../process/mount-table.ts';
import type { FilePath, Root } from './path.ts';

/**
 * Folders below the root where the kernel shows its own state as files, relative to it. Some of those files never end,
 * some wait for ever, so that nothing goes in there unasked. Ordinary mounts (bind, tmpfs, network, FUSE) are not among
 * them. Empty where there is no list of mounts.
 */
export function kernelMounts(root: Root): readonly string[] {
  const types = new Map<string, string>();
  for (const line of mountTable().split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4];
    // What is mounted last at a place covers what was there.
    if (place !== undefined) types.set(mountPoint(place), after.split(' ')[0] ?? '');
  }
  const below = root.real === '/' ? '/' : `${root.real}/`;
  return [...types]
    .filter(([place, type]) => kernelTypes.has(type) && place !== root.real && place.startsWith(below))
    .map(([place]) => relative(root.real, place));
}

/** Throws `conflict` for a place in one of these mounts. */
export function refuseKernel(path: FilePath, mounts: readonly string[]): void {
  if (!mounts.some((mount) => path.rel === mount || path.rel.startsWith(`${mount}/`))) return;
  throw new ToolError('conflict', `${path.given} is an interface of the kernel, not files: it is not searched.`);
}

const kernelTypes = new Set([
  ...['proc', 'sysfs', 'devtmpfs', 'devpts', 'mqueue', 'securityfs', 'selinuxfs', 'debugfs', 'tracefs', 'configfs'],
  ...['cgroup', 'cgroup2', 'pstore', 'bpf', 'fusectl', 'binfmt_misc', 'efivarfs', 'rpc_pipefs', 'nsfs', 'resctrl'],
]);
