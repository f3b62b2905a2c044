import { digestOf } from '../workspace/file-state.ts';
import type { ImageStore } from './images.ts';

/** Images that are kept as long as the process runs. */
export function memoryImages(): ImageStore {
  const kept = new Map<string, Uint8Array>();
  return {
    async put(bytes) {
      const digest = digestOf(bytes);
      kept.set(digest, bytes);
      return digest;
    },
    get: (digest) => kept.get(digest),
  };
}
