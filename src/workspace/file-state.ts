import { createHash, type Hash } from 'node:crypto';

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

/** Where the digest of a large content stood after each piece: what begins alike goes on from there. */
const stood = new WeakMap<Uint8Array, readonly Hash[]>();
const pieceBytes = 1024 * 1024;

/** SHA-256, lower-case hex. `like` is a content digested before that may have its beginning in common. */
export function digestOf(bytes: Uint8Array, like?: Uint8Array): string {
  if (bytes.length < pieceBytes) return createHash('sha256').update(bytes).digest('hex');
  const steps = like === undefined ? [] : stepsInCommon(bytes, like);
  const hash = steps.at(-1)?.copy() ?? createHash('sha256');
  for (let at = steps.length * pieceBytes; at < bytes.length; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    if (at + pieceBytes <= bytes.length) steps.push(hash.copy());
  }
  stood.set(bytes, steps);
  return hash.digest('hex');
}

function stepsInCommon(bytes: Uint8Array, like: Uint8Array): Hash[] {
  const steps = stood.get(like) ?? [];
  const other = steps.findIndex((_, at) => {
    const [from, to] = [at * pieceBytes, (at + 1) * pieceBytes];
    return Buffer.compare(bytes.subarray(from, to), like.subarray(from, to)) !== 0;
  });
  return steps.slice(0, other === -1 ? steps.length : other);
}

/** A regular file's state; `mode` defaults to 0o644. `like` is what it was made from, if anything. */
export function fileState(bytes: Buffer, mode = 0o644, like?: Buffer): FileState {
  return { kind: 'file', bytes, mode, digest: digestOf(bytes, like) };
}
