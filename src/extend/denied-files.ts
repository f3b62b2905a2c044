import { lstatSync } from 'node:fs';
import { stateNow } from '../change/state-now.ts';
import { hiddenFiles } from '../workspace/hidden-files.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';

const maxFileBytes = 256 * 1024;

/** A file whose reading is denied, with its content for masking. */
export interface DeniedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files in the workspace whose reading is denied; what commands print of their values is masked. Looks where
 * `hiddenFiles` looks, and again only where something changed; a net, not a wall.
 */
export function deniedFiles(workspace: Workspace): () => readonly DeniedFile[] {
  const hidden = hiddenFiles(workspace.root, workspace.visible);
  let known: { readonly of: readonly FilePath[]; readonly files: readonly DeniedFile[] } | undefined;
  return () => {
    const paths = hidden();
    if (known?.of !== paths) {
      known = { of: paths, files: paths.map((path) => ({ path: path.abs, text: textOf(workspace, path) })) };
    }
    return known.files;
  };
}

function textOf(workspace: Workspace, path: FilePath): string {
  if ((lstatSync(path.abs, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) return '';
  try {
    return stateNow(workspace, path)?.bytes.toString('utf8') ?? '';
  } catch {
    // A file that can't be read can't be printed by a command of the same user either.
    return '';
  }
}
