import { closeSync, lstatSync, type Stats } from 'node:fs';
import { ToolError } from '../base/error.ts';
import { anchorParent } from './anchor.ts';
import { fileError } from './file-error.ts';
import { type FileState, fileState } from './file-state.ts';
import { hiddenFiles } from './hidden-files.ts';
import { type Entry, listFolder } from './list-folder.ts';
import { openRoots } from './mounts.ts';
import { openRegularFile } from './open-file.ts';
import { type FilePath, openRoot, type PathStyle, type Root } from './path.ts';
import { readWhole } from './read-whole.ts';
import { hasOtherNames, look, sameFile } from './same-file.ts';

export type { Entry } from './list-folder.ts';

/** A regular file as it was at one moment. */
export interface Snapshot extends FileState {
  readonly kind: 'file';
  readonly mtimeMs: number;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** Default `relative`. */
  readonly pathStyle?: PathStyle;
  /**
   * Hides a path from reading and searching: anything but `true` hides it, and a text says why, naming the rule. Made
   * from the rules, which look at `rel` (the real place) and at `given`; default: everything is visible. A file with
   * several names is hidden when one of them is, as far as `hiddenFiles` looks.
   */
  readonly visible?: (path: FilePath) => boolean | string;
  /**
   * False for a path whose content no search and no diff of many files may show, though it can be read by name; default:
   * whatever is visible may be shown.
   */
  readonly searchable?: (path: FilePath) => boolean;
  /** Read-only folders by the name that path texts begin with, e.g. `@output`; see `openRoots`. */
  readonly mounts?: Readonly<Record<string, string>>;
}

export interface ReadOptions {
  /** The most the file may hold; default 64 MB. More is a `conflict` that names the limit. */
  readonly maxBytes?: number;
}

/** The workspace as tools see it: it has no method that writes. */
export interface Workspace {
  readonly root: Root;
  /** Jails a path, in the workspace or in a mount; see `resolvePath`. */
  resolve(text: string): FilePath;
  /** The root that `path` was resolved below: the workspace, or its mount. */
  rootOf(path: FilePath): Root;
  /** The state of what `path` names without following a final link, or undefined when nothing is there. */
  stat(path: FilePath): Stats | undefined;
  /** Reads a regular file whole. Throws `missing`, `conflict` (not a regular file, too large) or `denied` (not visible). */
  read(path: FilePath, options?: ReadOptions): Promise<Snapshot>;
  /** Opens a regular file for reading and hands its descriptor to `use`; the descriptor is closed afterwards. */
  open<T>(path: FilePath, use: (fd: number, stats: Stats) => T | Promise<T>): Promise<T>;
  /** The entries of a folder, sorted by name (code units). */
  list(path: FilePath): Promise<readonly Entry[]>;
  visible(path: FilePath): boolean;
  /** The same for many paths at one moment: what holds for all of them is looked at once. */
  visibility(): (path: FilePath) => boolean;
  /** May its content be shown to who did not ask for it by name? Only what is visible may. */
  searchable(path: FilePath): boolean;
  /** The sentence that refuses to read a hidden path, with the rule's reason; undefined for a visible one. */
  refusal(path: FilePath): string | undefined;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = openRoot(options.root);
  const { resolve, rootOf } = openRoots(root, options.pathStyle ?? 'relative', options.mounts);
  const judge = options.visible ?? (() => true);
  const hidden = options.visible && hiddenFiles(root, (path) => judge(path) === true);

  const refusalOfName = (path: FilePath) => {
    const seen = judge(path);
    if (seen === true) return undefined;
    return seen === false ? `Reading ${path.given} is denied.` : `Reading ${path.given} is denied: ${seen}`;
  };
  const refusalOfFile = (path: FilePath, stats: Stats | undefined) => {
    if (hidden === undefined || !hasOtherNames(stats)) return undefined;
    const other = sameFile(stats, hidden());
    return other && `Reading ${path.given} is denied: it is another name (a hard link) of ${other.rel}.`;
  };
  const refusal = (path: FilePath) => refusalOfName(path) ?? refusalOfFile(path, hidden && look(path.abs));

  const open: Workspace['open'] = async (path, use) => {
    refuse(refusalOfName(path));
    const { fd, stats } = openRegularFile(rootOf(path), path);
    try {
      refuse(refusalOfFile(path, stats));
      return await use(fd, stats);
    } catch (error) {
      throw fileError(error, path.given);
    } finally {
      closeSync(fd);
    }
  };

  return {
    root,
    resolve,
    rootOf,
    refusal,
    open,
    visible: (path) => refusal(path) === undefined,
    visibility: () => {
      const linked = hidden?.().some(({ abs }) => hasOtherNames(look(abs))) === true;
      return (path) => (linked ? refusal(path) : refusalOfName(path)) === undefined;
    },
    searchable: (path) => refusal(path) === undefined && (options.searchable?.(path) ?? true),
    stat: (path) => statEntry(rootOf(path), path),
    read: (path, { maxBytes } = {}) =>
      open(path, (fd, stats) => {
        const bytes = readWhole(fd, stats, path.given, maxBytes);
        return { ...fileState(bytes, stats.mode & 0o7777), kind: 'file', mtimeMs: stats.mtimeMs };
      }),
    list: async (path) => listFolder(rootOf(path), path),
  };
}

function refuse(refusal: string | undefined): void {
  if (refusal !== undefined) throw new ToolError('denied', refusal);
}

function statEntry(root: Root, path: FilePath): Stats | undefined {
  try {
    const anchor = anchorParent(root, path);
    try {
      return lstatSync(anchor.at(anchor.name), { throwIfNoEntry: false });
    } finally {
      anchor.close();
    }
  } catch (error) {
    const told = fileError(error, path.given);
    if (told instanceof ToolError && told.code === 'missing') return undefined;
    throw told;
  }
}
