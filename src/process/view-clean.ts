import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { processState } from '../base/process-mark.ts';
import { removeTree } from '../base/remove-tree.ts';
import { viewOwner } from './view-name.ts';

/**
 * Removes the views in these places whose process is gone. Says so where a command was in one; the others had only been made
 * ready. What is called otherwise is no view.
 */
export function removeAbandoned(places: readonly string[]): readonly string[] {
  const abandoned = places.flatMap((place) => names(place).map((name) => join(place, name))).filter(isAbandoned);
  const used = abandoned.filter((view) => existsSync(join(view, 'begun'))).length;
  const stuck = abandoned.filter((view) => !removed(view)).map((view) => `A view could not be removed: ${view}`);
  if (used === 0) return stuck;
  const what = used === 1 ? 'A view' : `${used} views`;
  const said = `${what} that an interrupted command left was removed; nothing of it had reached the workspace.`;
  return stuck.length === 0 ? [said] : stuck;
}

/** What can't be removed must not keep anybody from working. */
function removed(view: string): boolean {
  try {
    removeTree(view);
    return true;
  } catch {
    return false;
  }
}

function names(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

function isAbandoned(view: string): boolean {
  const owner = viewOwner(basename(view));
  return owner !== undefined && processState(owner) === 'dead';
}
