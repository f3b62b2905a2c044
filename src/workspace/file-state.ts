import { createHash, webcrypto } from 'node:crypto';

/** What a path holds: a regular file's bytes, or a symbolic link's target. Plain data, compared by digest. */
export interface FileState {
  /** `summary`: a tree, or a file too large to be held; only what a command changed has it, and only to be shown. */
  readonly kind: 'file' | 'symlink' | 'summary';
  /** The file's content; for a symlink, the target text in UTF-8; of a summary, the lines that describe it. */
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

/** Below this a thread costs more than it saves. */
const asideBytes = 256 * 1024;

/** As `fileState`; the digest of a large content is made by another thread, beside whatever the caller does meanwhile. */
export async function fileStateAside(bytes: Buffer, mode = 0o644): Promise<FileState> {
  if (bytes.length < asideBytes) return fileState(bytes, mode);
  const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
  return { kind: 'file', bytes, mode, digest: digest.toString('hex') };
}
