import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../base/error.ts';
import { removeTree } from '../base/remove-tree.ts';
import { shareStateFile, writeStateFile } from '../base/state-file.ts';
import { syncFolder } from '../base/sync-folder.ts';
import { digestOf } from '../workspace/file-state.ts';
import type { ImageStore } from './images.ts';
import { isUser, type SessionRecord } from './record.ts';

/** The images of a session: one file each beside its log, named by what it holds, readable by the owner only. */
export function sessionImages(home: string, session: string): ImageStore {
  const folder = imagesFolder(home, session);
  return {
    async put(bytes) {
      const digest = digestOf(bytes);
      await writeStateFile(join(folder, digest), bytes);
      syncFolder(folder);
      return digest;
    },
    get: (digest) => readImage(join(folder, digest), digest),
  };
}

export function removeImages(home: string, session: string): void {
  removeTree(imagesFolder(home, session));
}

/** Gives a copy of a session the images of its records; one that is gone stays gone. */
export function shareImages(home: string, from: string, to: string, records: readonly SessionRecord[]): void {
  const digests = new Set(
    records.flatMap((record) => (isUser(record) ? (record.images ?? []) : [])).map(({ digest }) => digest),
  );
  for (const digest of digests) {
    shareStateFile(join(imagesFolder(home, from), digest), join(imagesFolder(home, to), digest));
  }
}

function imagesFolder(home: string, session: string): string {
  return join(home, 'images', session);
}

/** What does not hold what it is named by is no longer the image that was shown. */
function readImage(file: string, digest: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(file);
    return digestOf(bytes) === digest ? bytes : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
