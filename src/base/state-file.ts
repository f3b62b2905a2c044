import { randomBytes } from 'node:crypto';
import { closeSync, constants, copyFileSync, linkSync, openSync, renameSync, rmSync, write, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from './error.ts';
import { makeOwnFolder } from './own-folder.ts';
import { syncToDisk } from './sync.ts';

const writeLater = promisify(write);
/** Up to this size writing at once costs less than handing it to a thread. */
const directBytes = 256 * 1024;
// Together no other process and no other call has them.
const run = randomBytes(6).toString('hex');
let written = 0;
const pieceBytes = 8 * 1024 * 1024;

/**
 * Writes a file of our own state, owner-only: under its name there is always a whole file, the old one or the new, and
 * its bytes are on the disk before it gets the name. The folder is made when missing; syncing it is the caller's.
 */
export async function writeStateFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  written += 1;
  const temp = join(folder, `.${basename(path)}.${run}-${written}`);
  const fd = createIn(folder, temp);
  try {
    try {
      await writeBytes(fd, bytes);
      await syncToDisk(fd, { many: true });
    } finally {
      closeSync(fd);
    }
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** The same file under a second name, where that can be; it has to be one that is never written over. A missing one is passed over. */
export function shareStateFile(from: string, to: string): void {
  makeOwnFolder(dirname(to));
  try {
    linkSync(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'EEXIST') return;
    copyFileSync(from, to);
  }
}

/** A short text of always the same length that is written over in place, owner-only; no reader sees half of it. */
export interface StateMark {
  write(text: string): void;
  close(): void;
}

export function openStateMark(path: string): StateMark {
  makeOwnFolder(dirname(path));
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  return { write: (text) => void writeSync(fd, text, 0), close: () => closeSync(fd) };
}

function createIn(folder: string, path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    makeOwnFolder(folder);
    return openSync(path, 'wx', 0o600);
  }
}

/** Writes all of `bytes` from the start of the file; big ones piece by piece on a thread, telling `onPiece` after each. */
export async function writeBytes(fd: number, bytes: Uint8Array, onPiece: () => void = () => {}): Promise<void> {
  let done = 0;
  if (bytes.length <= directBytes) {
    while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, done);
    return;
  }
  while (done < bytes.length) {
    const { bytesWritten } = await writeLater(fd, bytes, done, Math.min(pieceBytes, bytes.length - done), done);
    done += bytesWritten;
    onPiece();
  }
}
