import { ToolError } from '../base/error.ts';
import { mountsBelow } from './mounts-below.ts';
import type { FilePath, Root } from './path.ts';

/**
 * Folders below the root where the kernel shows its own state as files, relative to it. Some of those files never end,
 * some wait for ever, so that nothing goes in there unasked. Ordinary mounts (bind, tmpfs, network, FUSE) are not among
 * them. Empty where there is no list of mounts.
 */
export function kernelMounts(root: Root): readonly string[] {
  return mountsBelow(root)
    .filter(({ type }) => kernelTypes.has(type))
    .map(({ rel }) => rel);
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
