import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ToolError } from '../base/error.ts';
import { capText } from '../base/text.ts';
import type { FilePath } from '../workspace/path.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

/** One file of project instructions; untrusted text. */
export interface Instructions {
  /** Relative to the workspace, e.g. `AGENTS.md` or `../AGENTS.md`. */
  readonly path: string;
  readonly text: string;
}

const names = ['AGENTS.md', 'CLAUDE.md'];
const maxChars = 20_000;

/** May a file be shown to the model? As the rules say. */
type Visible = (path: FilePath) => boolean;

/**
 * `AGENTS.md` and `CLAUDE.md` of every folder from the git root down to the workspace, outermost first. One that is a
 * link to what may not be read is left out like one that is missing.
 */
export async function readInstructions(root: string, visible: Visible): Promise<readonly Instructions[]> {
  const top = gitRoot(root);
  const workspace = openWorkspace({ root: top, visible: asSeenFrom(root, visible) });
  const found: Instructions[] = [];
  for (const folder of foldersBetween(top, root)) {
    for (const name of names) {
      const text = await readIfThere(workspace, join(relative(top, folder), name));
      if (text !== undefined && !found.some((one) => one.text === text)) {
        found.push({ path: relative(root, join(folder, name)), text });
      }
    }
  }
  return found;
}

/** Rules are written from the workspace, which may lie below the folder that is looked at here. */
function asSeenFrom(root: string, visible: Visible): Visible {
  const inner = openWorkspace({ root, visible });
  return (path) => {
    const name = relative(root, path.abs);
    const outside = name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);
    return outside ? visible(path) : inner.visible(inner.resolve(name));
  };
}

/** The nearest folder, upwards, that holds `.git`; the folder itself where none does. */
function gitRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

function foldersBetween(top: string, bottom: string): string[] {
  const folders = [bottom];
  while (folders[0] !== top) folders.unshift(dirname(folders[0]!));
  return folders;
}

async function readIfThere(workspace: Workspace, name: string): Promise<string | undefined> {
  try {
    const { bytes } = await workspace.read(workspace.resolve(name), { maxBytes: 1024 * 1024 });
    return capText(bytes.toString('utf8'), maxChars);
  } catch (error) {
    // A file that is missing, huge, a pipe or a link that leads out of the repository gives no instructions.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
