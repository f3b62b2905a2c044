import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, openSync, readFileSync, readlinkSync } from 'node:fs';
import { thousands } from '../base/text.ts';
import { digestOf, type FileState } from '../workspace/file-state.ts';
import type { PlacedEntry } from './swap-files.ts';

/** Files beyond this are named by size and digest instead of being read into memory. */
export const maxFileBytes = 4 * 1024 * 1024;
/** Files beyond this are named by size alone: reading them takes longer than writing them took. */
const maxDigestBytes = 256 * 1024 * 1024;

/** What lies at a place, in full or, beyond `room` bytes, in one line. */
export async function placedState({ place, entry }: PlacedEntry, room: number): Promise<FileState> {
  const { kind, mode, size } = entry;
  if (kind === 'symlink') {
    const bytes = readlinkSync(place, { encoding: 'buffer' });
    return { kind, bytes, mode, digest: digestOf(bytes) };
  }
  if (kind === 'file' && size <= Math.min(room, maxFileBytes)) {
    const bytes = readWhole(place);
    return { kind, bytes, mode, digest: digestOf(bytes) };
  }
  if (kind === 'folder') return summary('Empty folder\n', mode);
  if (kind === 'other') return summary('Socket, pipe or device\n', mode);
  const digest = size <= maxDigestBytes ? await digestOfFile(place) : undefined;
  return summary(`${thousands(size)} bytes${digest === undefined ? '' : `, sha256 ${digest}`}\n`, mode, digest);
}

export function summary(text: string, mode: number, digest?: string): FileState {
  const bytes = Buffer.from(text);
  return { kind: 'summary', bytes, mode, digest: digest ?? digestOf(bytes) };
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function readWhole(place: string): Buffer {
  const fd = openSync(place, flags);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

async function digestOfFile(place: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(place, { flags: 'r', highWaterMark: 1024 * 1024 })) hash.update(piece);
  return hash.digest('hex');
}
