import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from './error.ts';

/** Removes a folder with all it holds; folders in it that are closed against their owner are opened first. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== 'EACCES' && systemCode(error) !== 'EPERM') throw error;
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}
