import type { Entry } from './journal.ts';

/**
 * The first of these paths that a commit took away since a time (in ms): what a command wrote there it wrote in a copy of what
 * was there, although nothing is there now. Folders count with all that is in them, on either side.
 */
export function takenAway(
  paths: readonly string[],
  entries: readonly Pick<Entry, 'time' | 'changes' | 'operations'>[],
  since: number,
): string | undefined {
  const gone = new Set(entries.filter(({ time }) => Date.parse(time) >= since).flatMap(removedBy));
  if (gone.size === 0) return undefined;
  const around = new Set([...gone].flatMap(upwards));
  return paths.find((path) => around.has(path) || upwards(path).some((one) => gone.has(one)));
}

function removedBy({ changes, operations }: Pick<Entry, 'changes' | 'operations'>): string[] {
  const files = changes.filter(({ type }) => type === 'delete' || type === 'rename').map(({ path }) => path);
  const moved = operations.filter((one) => one.type === 'swap' && one.from === undefined).map(({ path }) => path);
  return [...files, ...moved];
}

/** `a/b/c`, `a/b`, `a`. */
function upwards(path: string): string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, names.length - at).join('/'));
}
