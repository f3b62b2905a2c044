import { type ProcessMark, thisProcess } from './process-mark.ts';

/** Who holds a lock. */
export interface Holder extends ProcessMark {
  /** Unique for each acquisition. */
  readonly token: string;
}

/**
 * The text of a lock, six words, an empty one as `-`. Below 60 bytes: so long a link's target stays in the inode on ext4,
 * XFS and tmpfs, and making and removing it costs a sixth.
 */
export function holderText(token: string): string {
  const { pid, start, boot, host, space } = thisProcess();
  return [pid, start, boot, host, space, token].map((word) => String(word) || '-').join(' ');
}

/** Undefined for what is no such text. */
export function parseHolder(text: string): Holder | undefined {
  const words = text.split(' ').map((word) => (word === '-' ? '' : word));
  const [pid = '', start = '', boot = '', host = '', space = '', token = ''] = words;
  if (words.length !== 6 || !/^\d{1,10}$/.test(pid) || !/^[\w-]+$/.test(token)) return undefined;
  return { pid: Number(pid), start, boot, host, space, token };
}
