import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './error.ts';

/**
 * Makes a folder of the program's own state with those above it, owner-only. Node's recursive `mkdir` goes round forever
 * where a folder is there and yet takes no new one, as the proc file system does; this one fails with the system's reason.
 */
export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && !isThere(dirname(folder))) {
      makeOwnFolder(dirname(folder));
      makeOwnFolder(folder);
    } else if (systemCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

function isThere(folder: string): boolean {
  return folder === dirname(folder) || statSync(folder, { throwIfNoEntry: false }) !== undefined;
}
