import type { Tree } from './tree.ts';

/**
 * What a command did to one name: what stands there gives way to what was made elsewhere on the same disk. Both are moved,
 * never copied, so modes, times, links among the new files, and everything else of them stays as the command made it.
 */
export interface Swap {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Where the new thing lies; absolute. Undefined when the name goes. */
  readonly from?: string;
  /** What stands there; undefined when the name is new. */
  readonly before?: Tree;
  /** What lies at `from`. */
  readonly after?: Tree;
}

/** Swaps that happen together or not at all, and the folder that keeps what gives way. */
export interface Swaps {
  readonly list: readonly Swap[];
  /** Absolute, on the file system of the workspace. */
  readonly store: string;
  /** When the command began that made them, in ns: what others took away since then it still saw. */
  readonly since?: bigint;
}
