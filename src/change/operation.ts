import type { Mark } from './journal.ts';

/**
 * What a commit does to the disk, as its journal entry holds it before anything is touched: enough to finish it or to
 * put it back after a crash. Paths are relative to the root. `temp` and `aside` are names in the same folder: `temp`
 * has the new content until it gets its name, `aside` the old one until everything is done.
 *
 * - `place`: a new file; never over an existing one. `exact`: the mode is kept as it is, not narrowed by the umask
 * - `replace`: the new content takes the old one's name in one step
 * - `rewrite`: the bytes (or only the mode) of the same inode change, for hard links and foreign owners
 * - `move`: the same file gets another name
 * - `remove`
 * - `swap`: what stands there moves to `keep`, what lies at `from` gets its name; both places are absolute, outside the root
 */
export type Operation =
  | {
      readonly type: 'place';
      readonly path: string;
      readonly temp: string;
      readonly after: Mark;
      readonly exact: boolean;
      readonly owner?: Owner;
    }
  | {
      readonly type: 'replace';
      readonly path: string;
      readonly temp: string;
      readonly aside: string;
      readonly before: Mark;
      readonly after: Mark;
      readonly owner?: Owner;
    }
  | { readonly type: 'rewrite'; readonly path: string; readonly before: Mark; readonly after: Mark }
  | { readonly type: 'move'; readonly path: string; readonly to: string; readonly before: Mark }
  | { readonly type: 'remove'; readonly path: string; readonly aside: string; readonly before: Mark }
  | SwapOperation;

/** `before` and `after` are stamps of trees: `keep` is used when there is a `before`, and `from` is given with `after`. */
export interface SwapOperation {
  readonly type: 'swap';
  readonly path: string;
  readonly from?: string;
  readonly after?: string;
  readonly keep: string;
  readonly before?: string;
  /** How much is kept. */
  readonly bytes: number;
}

/** The owner a new file must be given, where it differs from the one it gets by itself. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The names of the working files of an entry. */
export function workingNames(operation: Operation): { temp?: string; aside?: string } {
  return {
    ...('temp' in operation ? { temp: operation.temp } : {}),
    ...('aside' in operation ? { aside: operation.aside } : {}),
  };
}

/** Every path whose folder an operation changes. */
export function touchedPaths(operation: Operation): string[] {
  return operation.type === 'move' ? [operation.path, operation.to] : [operation.path];
}
