import { ToolError } from '../base/error.ts';
import { type FilePath, openRoot, type PathStyle, type Root, resolvePath } from './path.ts';

/** The folders a path may lie in: the workspace, and read-only ones that are reached by a name. */
export interface Roots {
  /** Jails a path text in the mount it begins with, else in the workspace. */
  resolve(text: string): FilePath;
  /** The root that a path was resolved below. */
  rootOf(path: FilePath): Root;
}

/**
 * @param mounts folders by name, e.g. `{ '@output': '/home/me/.benchdog/output' }`; the path text `@output/7` then names
 *   a file in it, in every path style. A mount's folder is looked for when it is used, so it may be made later. A real
 *   folder of that name in the workspace is reached as `./@output`.
 */
export function openRoots(workspace: Root, style: PathStyle, mounts: Readonly<Record<string, string>> = {}): Roots {
  const names = Object.keys(mounts).sort((one, other) => other.length - one.length);
  const opened = new Map<string, Root>();

  const mountRoot = (name: string): Root => {
    const root = opened.get(name) ?? openMount(name, mounts[name]!);
    opened.set(name, root);
    return root;
  };

  return {
    resolve: (text) => {
      const name = names.find((one) => text === one || text.startsWith(`${one}/`) || text.startsWith(`${one}\\`));
      if (name === undefined) return resolvePath(workspace, text, style);
      const rest = text.slice(name.length + 1);
      return resolvePath(mountRoot(name), rest === '' ? '.' : `./${rest}`, 'relative');
    },
    rootOf: (path) => (path.mount === undefined ? workspace : mountRoot(path.mount)),
  };
}

/** For walks, which know the workspace alone. Throws `conflict` for a path in a mount. */
export function refuseMount(path: FilePath): void {
  if (path.mount === undefined) return;
  const text = `${path.mount} is no part of the workspace: it is not listed.`;
  throw new ToolError('conflict', `${text} Read and search its files by their names.`);
}

function openMount(name: string, folder: string): Root {
  try {
    return openRoot(folder, name);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'missing') {
      throw new ToolError('missing', `No such file: there is nothing in ${name} (yet).`);
    }
    throw error;
  }
}
