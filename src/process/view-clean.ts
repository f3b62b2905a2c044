import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ProcessMark, processState } from '../base/process-mark.ts';
import { removeTree } from '../base/remove-tree.ts';

/** Removes the views in these places whose process is gone, and says so. Kept contents (`kept`) are none of its business. */
export function removeAbandoned(places: readonly string[]): readonly string[] {
  const views = places.flatMap((place) => names(place).map((name) => join(place, name)));
  const abandoned = views.filter((view) => basename(view) !== 'kept' && isAbandoned(view));
  for (const view of abandoned) removeTree(view);
  if (abandoned.length === 0) return [];
  const what = abandoned.length === 1 ? 'A view' : `${abandoned.length} views`;
  return [`${what} that an interrupted command left was removed; nothing of it had reached the workspace.`];
}

function names(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

function isAbandoned(folder: string): boolean {
  try {
    const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as ProcessMark;
    return processState(owner) === 'dead';
  } catch {
    // Killed before it could say whose it is; a view that is just being made is younger.
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    return stats !== undefined && Date.now() - stats.mtimeMs > 60_000;
  }
}
