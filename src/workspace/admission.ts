import { ToolError } from '../base/error.ts';
import type { IgnoreJudge } from './ignore.ts';
import { type FilePath, type Root, resolvePath } from './path.ts';
import type { SearchQuery } from './search.ts';
import type { Workspace } from './workspace.ts';

/** The path of a file that the engine tells of, when the file counts: asked for, where it says, not ignored, not hidden. */
export type Admission = (rel: string) => Promise<FilePath | undefined>;

/**
 * Decides of each file the engine reports whether it counts. `root` is the folder the engine searches.
 *
 * @param pathOf makes the path of a file; default: each is looked at anew
 */
export function admission(
  workspace: Workspace,
  root: Root,
  { accepts }: Pick<SearchQuery, 'accepts'>,
  judge: IgnoreJudge | undefined,
  pathOf: (rel: string) => FilePath | undefined = (rel) => placeOf(root, rel),
): Admission {
  return async (rel) => {
    if (accepts?.(rel) === false) return undefined;
    const path = pathOf(rel);
    if (path === undefined || !workspace.searchable(path) || (await judge?.ignored(rel))) return undefined;
    return path;
  };
}

/** The file's path when it really lies where it was found, not behind a link that has come up since. */
export function placeOf(root: Root, rel: string): FilePath | undefined {
  try {
    const path = resolvePath(root, rel, 'relative');
    return path.rel === (root.mount === undefined ? rel : `${root.mount}/${rel}`) ? path : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** A path as the engine prints it, relative to the folder it searches. */
export function withoutDot(printed: string): string {
  return printed.replace(/^\.[/\\]/, '');
}
