import type { FileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';

/** One file's before and after. What is approved is, byte for byte, what is written. */
export type Change =
  | { readonly type: 'create'; readonly path: FilePath; readonly after: FileState }
  | { readonly type: 'modify'; readonly path: FilePath; readonly before: FileState; readonly after: FileState }
  | {
      readonly type: 'rename';
      readonly path: FilePath;
      readonly to: FilePath;
      readonly before: FileState;
      readonly after: FileState;
    }
  | { readonly type: 'delete'; readonly path: FilePath; readonly before: FileState };

/** Changes that stand or fall together, in the order they were named. No path appears twice. */
export type ChangeSet = readonly Change[];

/** One change as results, events and `--json` carry it. `added` and `removed` count lines; binary files count 0. */
export interface ChangeSummary {
  readonly type: Change['type'];
  readonly path: string;
  readonly to?: string;
  readonly added: number;
  readonly removed: number;
}
