import type { BigIntStats } from 'node:fs';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { ToolError } from '../base/error.ts';
import { digestOf, type FileState } from '../workspace/file-state.ts';
import type { Disk } from './disk.ts';
import type { Mark } from './journal.ts';

/** What is at `path` now, or undefined. Throws `conflict` for what is neither a regular file nor a link. */
export function currentState(disk: Disk, path: string): FileState | undefined {
  const stats = disk.look(path);
  if (stats === undefined) return undefined;
  refuseOther(stats, path);
  const mode = Number(stats.mode) & 0o7777;
  if (stats.isSymbolicLink()) {
    const bytes = disk.readLink(path);
    return { kind: 'symlink', bytes, mode, digest: digestOf(bytes) };
  }
  const bytes = readBytes(disk, path);
  return { kind: 'file', bytes, mode, digest: digestOf(bytes) };
}

export function markOfState(state: FileState): Mark {
  return { kind: state.kind, digest: state.digest, size: state.bytes.length, mode: state.mode };
}

/** True when `path` holds exactly `bytes` (a link: points there). Reads in pieces. */
export function holds(disk: Disk, path: string, stats: BigIntStats, state: FileState): boolean {
  if (stats.isSymbolicLink()) return state.kind === 'symlink' && disk.readLink(path).equals(state.bytes);
  if (state.kind !== 'file' || Number(stats.size) !== state.bytes.length) return false;
  const fd = disk.openToRead(path, stats);
  try {
    return sameBytes(fd, state.bytes);
  } finally {
    closeSync(fd);
  }
}

export function refuseOther(stats: BigIntStats, path: string): void {
  if (stats.isFile() || stats.isSymbolicLink()) return;
  const what = stats.isDirectory()
    ? 'a directory'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : 'a device';
  throw new ToolError('conflict', `path is not a regular file: ${path} is ${what}. Nothing was changed.`);
}

/** What is read to be compared at once; kept, since fresh memory costs more than reading into it. */
let piece: Buffer | undefined;
const pieceBytes = 256 * 1024;

function sameBytes(fd: number, bytes: Buffer): boolean {
  piece ??= Buffer.allocUnsafeSlow(pieceBytes);
  for (let at = 0; ; ) {
    const count = readSync(fd, piece, 0, piece.length, at);
    if (count === 0) return at === bytes.length;
    if (at + count > bytes.length || piece.compare(bytes, at, at + count, 0, count) !== 0) return false;
    at += count;
    // A regular file gives less than was asked for only at its end.
    if (count < piece.length) return at === bytes.length;
  }
}

function readBytes(disk: Disk, path: string): Buffer {
  const fd = disk.openToRead(path);
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(fd).size);
    let at = 0;
    for (let count = -1; count !== 0 && at < bytes.length; at += count) {
      count = readSync(fd, bytes, at, bytes.length - at, at);
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(fd);
  }
}
