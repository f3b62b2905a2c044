import type { FileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Change } from './change.ts';

type States = ReadonlyMap<string, FileState | undefined>;

/**
 * The changes that lead from `start` to `end`, one for each path that differs. Of the pairs in `moves` (from, to) those
 * that come out as one file gone and one new become a rename.
 */
export function netChanges(
  start: States,
  end: States,
  moves: readonly (readonly [string, string])[],
  pathOf: (rel: string) => FilePath,
): Change[] {
  const taken = new Set<string>();
  const changes: Change[] = [];
  for (const [from, to] of moves) {
    const [before, after] = [start.get(from), end.get(to)];
    if (before === undefined || after === undefined || before.kind !== after.kind) continue;
    if (end.get(from) !== undefined || start.get(to) !== undefined || taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    changes.push({ type: 'rename', path: pathOf(from), to: pathOf(to), before, after });
  }
  for (const [rel, after] of end) {
    if (!taken.has(rel)) changes.push(...oneChange(pathOf(rel), start.get(rel), after));
  }
  return changes;
}

function oneChange(path: FilePath, before: FileState | undefined, after: FileState | undefined): Change[] {
  if (before === undefined) return after === undefined ? [] : [{ type: 'create', path, after }];
  if (after === undefined) return [{ type: 'delete', path, before }];
  const same = before.digest === after.digest && before.mode === after.mode && before.kind === after.kind;
  return same ? [] : [{ type: 'modify', path, before, after }];
}
