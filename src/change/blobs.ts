import { type BigIntStats, chmodSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/error.ts';
import { writeStateFile } from '../base/state-file.ts';
import { syncFolderLater } from '../base/sync-folder.ts';
import { digestOf } from '../workspace/file-state.ts';

/** Contents by SHA-256, each one owner-only file that is whole or absent. */
export interface BlobStore {
  /** Keeps contents under their digests; their bytes are on the disk when it resolves, their names after `sync`. */
  put(contents: ReadonlyMap<string, Buffer>, onStep: (step: string) => void): Promise<void>;
  /** Whether contents of this digest and size are kept already. */
  has(digest: string, size: number): boolean;
  /** Whether a file that has lost its place may become a kept content as it is: one name, our own, on the same disk. */
  adopts(file: Pick<BigIntStats, 'dev' | 'uid' | 'nlink'>): boolean;
  /** Keeps a whole file without copying it: `move` gives it the name it is handed. Durable after `sync`. */
  adopt(digest: string, move: (place: string) => void): void;
  /** Makes the names of everything put or adopted so far durable. */
  sync(): Promise<void>;
  /**
   * The bytes, or undefined when they are not kept or no longer match their digest. A program that still had an adopted
   * file open may have written on behind its `size`; that is cut off.
   */
  get(digest: string, size?: number): Promise<Buffer | undefined>;
  /** Removes everything that is not named. */
  retain(digests: ReadonlySet<string>): void;
}

/** How many files are written and synced at once: lets the file system gather them into one disk write. */
const atOnce = 8;

export function openBlobs(folder: string): BlobStore {
  const path = (digest: string) => join(folder, digest);
  const has = (digest: string, size: number) => statSync(path(digest), { throwIfNoEntry: false })?.size === size;
  const device = statSync(folder, { bigint: true }).dev;
  const user = process.geteuid?.();
  let unsynced = false;
  return {
    put: async (contents, onStep) => {
      const missing = [...contents].filter(([digest, bytes]) => !has(digest, bytes.length));
      if (missing.length === 0) return;
      for (let at = 0; at < missing.length; at += atOnce) {
        const some = missing.slice(at, at + atOnce);
        await Promise.all(
          some.map(([digest, bytes]) => {
            onStep(`keep ${digest}`);
            return writeStateFile(path(digest), bytes);
          }),
        );
      }
      unsynced = true;
    },
    has,
    adopts: ({ dev, uid, nlink }) => dev === device && nlink === 1n && user !== undefined && Number(uid) === user,
    adopt: (digest, move) => {
      move(path(digest));
      chmodSync(path(digest), 0o600);
      unsynced = true;
    },
    sync: async () => {
      if (!unsynced) return;
      unsynced = false;
      await syncFolderLater(folder);
    },
    get: async (digest, size) => {
      try {
        const bytes = (await readFile(path(digest))).subarray(0, size);
        return digestOf(bytes) === digest ? bytes : undefined;
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    retain: (digests) => {
      for (const name of readdirSync(folder)) if (!digests.has(digestIn(name))) unlinkSync(join(folder, name));
    },
  };
}

/** A file being written is named `.DIGEST.random`. */
function digestIn(name: string): string {
  return name.startsWith('.') ? name.slice(1, 65) : name;
}
