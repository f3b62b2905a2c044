import { entryPathMaker } from '../workspace/entry-path.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { FilePath, Root } from '../workspace/path.ts';
import type { Change, ChangeSet } from './change.ts';
import { generatedTop } from './generated.ts';
import { pairRenames } from './rename-pairs.ts';
import type { Swap } from './swap.ts';
import { type SwappedFile, swappedFiles } from './swap-files.ts';
import { maxFileBytes, placedState } from './swap-states.ts';
import { summarizeTree } from './swap-summary.ts';

/** How swaps are shown and judged. */
export interface ShownSwaps {
  /** File by file as far as a reader wants it; generated trees, git's data and the rest of very many as one summary each. */
  readonly changes: ChangeSet;
  /** Every file that is written or deleted; of git's own data only what makes git run something. */
  readonly touched: readonly { readonly kind: 'write' | 'delete'; readonly path: FilePath }[];
}

/** How many files are shown one by one, and how many bytes of them are held at most. */
const maxShown = 1000;
const maxHeld = 64 * 1024 * 1024;

/** Reads what swaps change; bounded in memory, whatever they are. */
export async function showSwaps(root: Root, swaps: readonly Swap[]): Promise<ShownSwaps> {
  const pathOf = entryPathMaker(root);
  const files = swaps.flatMap((swap) => swappedFiles(root.real, swap));
  const { single, trees } = sorted(files);
  const changes: Change[] = [];
  let room = maxHeld;
  for (const file of single) {
    const change = await changeOf(pathOf(file.path), file, Math.min(room / 2, maxFileBytes));
    room -= heldBy(change);
    changes.push(change);
  }
  const summaries = [...trees].map(([top, inside]) => summarizeTree(pathOf(top), inside, swaps));
  return {
    changes: [...pairRenames(changes), ...summaries],
    touched: files.flatMap((file) => touchedBy(file, pathOf)),
  };
}

/** Which files are shown by themselves, and which as part of a tree. */
function sorted(files: readonly SwappedFile[]): { single: SwappedFile[]; trees: Map<string, SwappedFile[]> } {
  const single: SwappedFile[] = [];
  const trees = new Map<string, SwappedFile[]>();
  for (const file of files) {
    const top = generatedTop(file.path) ?? (single.length < maxShown ? undefined : firstName(file.path));
    if (top === undefined || (top === file.path && generatedTop(file.path) === undefined)) single.push(file);
    else if (trees.has(top)) trees.get(top)!.push(file);
    else trees.set(top, [file]);
  }
  return { single, trees };
}

function firstName(path: string): string {
  return path.split('/', 1)[0]!;
}

async function changeOf(path: FilePath, file: SwappedFile, room: number): Promise<Change> {
  const before = file.before && (await placedState(file.before, room));
  const after = file.after && (await placedState(file.after, room));
  if (before === undefined) return { type: 'create', path, after: after! };
  return after === undefined ? { type: 'delete', path, before } : { type: 'modify', path, before, after };
}

function heldBy(change: Change): number {
  const size = (state: FileState | undefined) => state?.bytes.length ?? 0;
  return size('before' in change ? change.before : undefined) + size('after' in change ? change.after : undefined);
}

/** Hooks and settings of git, of the repository or of one of its submodules and work trees. */
const runsCode = /(?:^|\/)(?:hooks\/.+|config|config\.worktree|commondir)$/;

function touchedBy({ path, after }: SwappedFile, pathOf: (rel: string) => FilePath): ShownSwaps['touched'] {
  if (path.split('/').includes('.git') && !runsCode.test(path)) return [];
  return [{ kind: after === undefined ? 'delete' : 'write', path: pathOf(path) }];
}
