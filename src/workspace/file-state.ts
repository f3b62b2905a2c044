import { createHash } from 'node:crypto';

/** What a path holds: a regular file's bytes, or a symbolic link's target. Plain data, compared by digest. */
export interface FileState {
  readonly kind: 'file' | 'symlink';
  /** The file's content; for a symlink, the target text in UTF-8. */
  readonly bytes: Buffer;
  /** Permission bits, e.g. 0o644. */
  readonly mode: number;
  /** SHA-256 of `bytes`, lower-case hex. */
  readonly digest: string;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A regular file's state; `mode` defaults to 0o644. */
export function fileState(bytes: Buffer, mode = 0o644): FileState {
  return { kind: 'file', bytes, mode, digest: digestOf(bytes) };
}
