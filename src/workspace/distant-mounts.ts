import { answers } from '../process/answers.ts';
import { type Mounted, mountsBelow } from './mounts-below.ts';
import type { Root } from './path.ts';

/**
 * Mounts below the root whose files another machine or another program gives: whoever looks into one waits as long as the
 * other side is silent.
 *
 * @param table for `mountsBelow`; default: this machine's
 */
export function distantMounts(root: Root, table?: string): readonly Mounted[] {
  return mountsBelow(root, table).filter(({ type }) => distant.has(type) || /^fuse(?:blk)?(?:\.|$)/.test(type));
}

const distant = new Set([
  ...['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'ncpfs', 'afs', 'coda', 'ceph', '9p', 'virtiofs', 'autofs'],
  ...['lustre', 'gfs2', 'ocfs2', 'glusterfs', 'beegfs', 'gpfs', 'orangefs', 'davfs', 'prl_fs', 'vboxsf', 'vmhgfs'],
]);

/** The distant mounts below the root that do not answer in time, relative to it. Costs nothing where there are none. */
export async function silentMounts(root: Root): Promise<readonly string[]> {
  const mounts = distantMounts(root);
  const speaking = await Promise.all(mounts.map(({ abs }) => speaks(abs)));
  return mounts.flatMap(({ rel }, at) => (speaking[at] ? [] : [rel]));
}

/** Milliseconds that a mount may take, and for which its answer holds. */
const patience = 1000;
const memory = 10_000;

const asked = new Map<string, { readonly at: number; readonly answer: Promise<boolean> }>();

function speaks(abs: string): Promise<boolean> {
  const known = asked.get(abs);
  if (known !== undefined && performance.now() - known.at < memory) return known.answer;
  const answer = answers(abs, patience);
  asked.set(abs, { at: performance.now(), answer });
  return answer;
}
