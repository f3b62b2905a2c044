import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { systemCode, ToolError } from '../base/error.ts';
import { writeBytes } from '../base/state-file.ts';
import { type SyncOptions, syncToDisk } from '../base/sync.ts';
import { syncFolderLater } from '../base/sync-folder.ts';
import { type Anchor, anchorFolder } from '../workspace/anchor.ts';
import { entryPath } from '../workspace/entry-path.ts';
import { fileError } from '../workspace/file-error.ts';
import { type Root, resolvePath } from '../workspace/path.ts';
import { renameAny } from './rename-any.ts';

/**
 * The only hands that touch workspace files. Paths are relative to the root with `/`; each is reached through its held
 * parent folder, so that a name swapped for a link on the way can't lead elsewhere. Every call that changes something
 * first announces itself to `onStep`, which may throw: that is where tests let things go wrong.
 */
export interface Disk {
  readonly root: Root;
  /** What is at `path` itself (a link is a link), or undefined. */
  look(path: string): BigIntStats | undefined;
  readLink(path: string): Buffer;
  /** The exact names in the folder of `path`. */
  siblings(path: string): string[];
  /** Opens a regular file for reading; never follows a link, never waits for a pipe. `seen`: what `look` just said. */
  openToRead(path: string, seen?: BigIntStats): number;
  /** Opens a regular file for writing in place. */
  openToWrite(path: string): number;
  /** A new file, opened for writing; fails when the name is taken. */
  create(path: string, mode: number): number;
  write(fd: number, bytes: Buffer): Promise<void>;
  truncate(fd: number, size: number): void;
  chmod(fd: number, mode: number): void;
  chown(fd: number, uid: number, gid: number): void;
  sync(fd: number, options?: SyncOptions): Promise<void>;
  makeLink(path: string, target: Buffer): void;
  link(path: string, to: string): void;
  rename(path: string, to: string): void;
  /** Gives an entry a name outside of the workspace, an absolute one on the same disk. */
  moveOut(path: string, place: string): void;
  /** The other way: gives what lies at `place` a name in the workspace, instead of what has it. */
  moveIn(place: string, path: string): void;
  /** Gives an entry a second name outside of the workspace. */
  linkOut(path: string, place: string): void;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Removes a folder if it is empty; says whether it did. */
  removeFolder(path: string): boolean;
  /** Makes the names in the folders of these paths durable. */
  syncFoldersOf(paths: Iterable<string>): Promise<void>;
  step(name: string): void;
  close(): void;
}

export type OnStep = (step: string) => void;

/** Folders held at once. */
const maxHeld = 64;
const syncedAtOnce = 16;
const fewFolders = 2;
const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function openDisk(root: Root, onStep: OnStep = () => {}): Disk {
  const held = new Map<string, Anchor>();

  const hold = (folder: string): Anchor => {
    const anchor = held.get(folder) ?? openAnchor(root, folder);
    // Used last, dropped last.
    held.delete(folder);
    held.set(folder, anchor);
    if (held.size > maxHeld) {
      const [oldest, dropped] = held.entries().next().value!;
      held.delete(oldest);
      dropped.close();
    }
    return anchor;
  };
  const verified = (folder: string): Anchor => {
    const anchor = hold(folder);
    anchor.verify();
    return anchor;
  };
  const at = (path: string) => verified(folderOf(path)).at(nameOf(path));
  const both = (path: string, to: string): [string, string] => {
    const first = at(path);
    return [first, folderOf(path) === folderOf(to) ? hold(folderOf(to)).at(nameOf(to)) : at(to)];
  };
  // Looking changes nothing, and whatever is done with what was seen verifies where it is done.
  const look = (path: string) => {
    try {
      return lstatSync(hold(folderOf(path)).at(nameOf(path)), { bigint: true });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw fileError(error, path);
    }
  };

  return {
    root,
    look,
    readLink: (path) => readlinkSync(at(path), { encoding: 'buffer' }),
    siblings: (path) => readdirSync(verified(folderOf(path)).at('.')),
    openToRead: (path, seen) => openRegular(at(path), constants.O_RDONLY | noFollow, seen),
    openToWrite: (path) => openRegular(at(path), constants.O_WRONLY | noFollow),
    create: (path, mode) => {
      onStep(`create ${path}`);
      return openSync(at(path), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, mode);
    },
    write: async (fd, bytes) => {
      onStep('write');
      await writeBytes(fd, bytes, () => onStep('write on'));
    },
    truncate: (fd, size) => {
      onStep('truncate');
      ftruncateSync(fd, size);
    },
    chmod: (fd, mode) => {
      onStep('chmod');
      fchmodSync(fd, mode);
    },
    chown: (fd, uid, gid) => {
      onStep('chown');
      fchownSync(fd, uid, gid);
    },
    sync: async (fd, options) => {
      onStep('sync');
      await syncToDisk(fd, options);
    },
    makeLink: (path, target) => {
      onStep(`make link ${path}`);
      symlinkSync(target, at(path));
    },
    link: (path, to) => {
      onStep(`link ${path} ${to}`);
      linkSync(...both(path, to));
    },
    rename: (path, to) => {
      onStep(`rename ${path} ${to}`);
      renameSync(...both(path, to));
    },
    moveOut: (path, place) => {
      onStep(`move out ${path}`);
      renameAny(at(path), place);
    },
    moveIn: (place, path) => {
      onStep(`move in ${path}`);
      renameAny(place, at(path));
    },
    linkOut: (path, place) => {
      onStep(`link out ${path}`);
      linkSync(at(path), place);
    },
    remove: (path) => {
      onStep(`remove ${path}`);
      unlinkSync(at(path));
    },
    makeFolder: (path) => {
      onStep(`make folder ${path}`);
      try {
        mkdirSync(at(path));
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error;
      }
    },
    removeFolder: (path) => {
      onStep(`remove folder ${path}`);
      held.get(path)?.close();
      held.delete(path);
      try {
        rmdirSync(at(path));
        return true;
      } catch {
        return false;
      }
    },
    syncFoldersOf: async (paths) => {
      const folders = [...new Set([...paths].map(folderOf))];
      for (let at = 0; at < folders.length; at += syncedAtOnce) {
        const some = folders.slice(at, at + syncedAtOnce);
        await Promise.all(
          some.map((folder) => {
            onStep(`sync folder ${folder}`);
            return syncFolderLater(hold(folder).at('.'), { many: folders.length > fewFolders });
          }),
        );
      }
    },
    step: onStep,
    close: () => {
      for (const anchor of held.values()) anchor.close();
      held.clear();
    },
  };
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `path` in the folder of `beside`. */
export function besideOf(beside: string, name: string): string {
  const folder = folderOf(beside);
  return folder === '.' ? name : `${folder}/${name}`;
}

function openAnchor(root: Root, folder: string): Anchor {
  return anchorFolder(root, folder === '.' ? resolvePath(root, '.', 'relative') : entryPath(root, folder));
}

function openRegular(place: string, flags: number, seen: Pick<BigIntStats, 'isFile'> = lstatSync(place)): number {
  if (!seen.isFile()) throw new ToolError('conflict', 'It is no regular file any more.');
  const fd = openSync(place, flags);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new ToolError('conflict', 'It is no regular file any more.');
}

function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' || (error instanceof ToolError && error.code === 'missing');
}
