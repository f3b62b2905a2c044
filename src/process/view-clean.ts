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
  for (const view of abandoned) removeTree(view);
  if (used === 0) return [];
  const what = used === 1 ? 'A view' : `${used} views`;
  return [`${what} that an interrupted command left was removed; nothing of it had reached the workspace.`];
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
