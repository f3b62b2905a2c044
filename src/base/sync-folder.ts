import { closeSync, fsyncSync, openSync } from 'node:fs';
import { systemCode } from './error.ts';
import { type SyncOptions, syncToDisk } from './sync.ts';

/**
 * Makes the names in a folder durable. Windows has no such call and does not need it; a folder that may not be read
 * can't be opened for it, and is left to the file system.
 */
export function syncFolder(path: string): void {
  const fd = openFolder(path);
  if (fd === undefined) return;
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The same without holding up the thread for long. */
export async function syncFolderLater(path: string, options?: SyncOptions): Promise<void> {
  const fd = openFolder(path);
  if (fd !== undefined) await syncToDisk(fd, options).finally(() => closeSync(fd));
}

/** A descriptor of a folder for syncing, or undefined where that can't be had. */
function openFolder(path: string): number | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'EACCES' || systemCode(error) === 'EPERM') return undefined;
    throw error;
  }
}
