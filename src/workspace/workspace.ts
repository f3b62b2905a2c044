import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { systemCode, ToolError } from '../base/error.ts';
import { anchorParent } from './anchor.ts';
import { digestOf, type FileState } from './file-state.ts';
import { type FilePath, openRoot, type PathStyle, type Root, resolvePath } from './path.ts';

/** A regular file as it was at one moment. */
export interface Snapshot extends FileState {
  readonly kind: 'file';
  readonly mtimeMs: number;
}

/** One entry of a folder; a link is listed as a link, whatever it leads to. */
export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes; 0 for what is not a regular file. */
  readonly size: number;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** Default `relative`. */
  readonly pathStyle?: PathStyle;
  /** False hides a path from reading, listing content and searching. Made from the rules; default: everything is visible. */
  readonly visible?: (path: FilePath) => boolean;
}

/** The workspace as tools see it: it has no method that writes. */
export interface Workspace {
  readonly root: Root;
  /** Jails a path; see `resolvePath`. */
  resolve(text: string): FilePath;
  /** The state of what `path` names without following a final link, or undefined when nothing is there. */
  stat(path: FilePath): Stats | undefined;
  /** Reads a regular file whole. Throws `missing`, `conflict` (not a regular file) or `denied` (not visible). */
  read(path: FilePath): Promise<Snapshot>;
  /** Opens a regular file for reading and hands its descriptor to `use`; the descriptor is closed afterwards. */
  open<T>(path: FilePath, use: (fd: number, stats: Stats) => T | Promise<T>): Promise<T>;
  /** The entries of a folder, sorted by name (code units). */
  list(path: FilePath): Promise<readonly Entry[]>;
  visible(path: FilePath): boolean;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = openRoot(options.root);
  const style = options.pathStyle ?? 'relative';
  const visible = options.visible ?? (() => true);

  const open: Workspace['open'] = async (path, use) => {
    if (!visible(path)) throw new ToolError('denied', `Reading ${path.given} is denied.`);
    const { fd, stats } = openRegularFile(root, path);
    try {
      return await use(fd, stats);
    } finally {
      closeSync(fd);
    }
  };

  return {
    root,
    visible,
    resolve: (text) => resolvePath(root, text, style),
    stat: (path) => statEntry(root, path),
    open,
    read: (path) =>
      open(path, (fd, stats) => {
        const bytes = readFileSync(fd);
        return {
          kind: 'file' as const,
          bytes,
          mode: stats.mode & 0o7777,
          digest: digestOf(bytes),
          mtimeMs: stats.mtimeMs,
        };
      }),
    list: async (path) => listEntries(root, path),
  };
}

function statEntry(root: Root, path: FilePath): Stats | undefined {
  try {
    const anchor = anchorParent(root, path);
    try {
      return lstatSync(anchor.at(anchor.name));
    } finally {
      anchor.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || (error instanceof ToolError && error.code === 'missing')) return undefined;
    throw error;
  }
}

/** Never blocks and never follows a link: looks first, opens without following, and looks again at what was opened. */
function openRegularFile(root: Root, path: FilePath): { fd: number; stats: Stats } {
  const anchor = anchorParent(root, path);
  try {
    const place = anchor.at(anchor.name);
    refuseIrregular(lstatSync(place), path);
    const fd = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(fd);
      refuseIrregular(stats, path);
      anchor.verify();
      return { fd, stats };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    throw readError(error, path);
  } finally {
    anchor.close();
  }
}

function refuseIrregular(stats: Stats, path: FilePath): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory()
    ? 'a directory'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : stats.isSymbolicLink()
          ? 'a symbolic link that changed meanwhile'
          : 'a device';
  throw new ToolError('conflict', `path is not a regular file: ${path.given} is ${what}.`);
}

function readError(error: unknown, path: FilePath): unknown {
  switch (systemCode(error)) {
    case 'ENOENT':
      return new ToolError('missing', `No such file: ${path.given}`);
    case 'EACCES':
    case 'EPERM':
      return new ToolError('failed', `No permission to read ${path.given}.`);
    case 'ELOOP':
    case 'ENXIO':
      return new ToolError('conflict', `path is not a regular file: ${path.given}`);
    default:
      return error;
  }
}

function listEntries(root: Root, path: FilePath): readonly Entry[] {
  const anchor = anchorParent(root, path);
  try {
    const place = anchor.at(anchor.name);
    const stats = lstatSync(place);
    if (!stats.isDirectory()) throw new ToolError('conflict', `path is not a directory: ${path.given}`);
    return readdirSync(place)
      .sort()
      .map((name) => describeEntry(`${place}/${name}`, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new ToolError('missing', `No such directory: ${path.given}`);
    throw error;
  } finally {
    anchor.close();
  }
}

function describeEntry(place: string, name: string): Entry {
  try {
    const stats = lstatSync(place);
    if (stats.isFile()) return { name, kind: 'file', size: stats.size };
    const kind = stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
    return { name, kind, size: 0 };
  } catch {
    return { name, kind: 'other', size: 0 };
  }
}
