import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const pieceBytes = 1024 * 1024;

/**
 * Writes a file of our own state, owner-only: under its name there is always a whole file, the old one or the new, and
 * its bytes are on the disk before it gets the name. The folder is made when missing; syncing it is the caller's.
 */
export async function writeStateFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temp = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = await open(temp, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) await file.writeFile(bytes.subarray(at, at + pieceBytes));
    await file.sync();
    await file.close();
    await rename(temp, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temp, { force: true });
    throw error;
  }
}
