import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { commonDir, findRepository, type Repository } from './git-repository.ts';

/** What a sandbox keeps of a repository: commits can be made, but what git takes programs and settings from stays as it is. */
export interface RepositoryBorders {
  /** Git folders that are writable, each to be mounted on its own: else it could be moved away and another put in its place. */
  readonly writable: readonly string[];
  /** Files and folders in them that are not. */
  readonly fixed: readonly string[];
  /** Files that lead git to other settings: to be put back when the command has ended, since what does not exist can't be covered. */
  readonly watched: readonly string[];
}

const mostFound = 200;

/** The borders in the repository that `root` lies in; undefined when there is none. */
export function repositoryBorders(root: string): RepositoryBorders | undefined {
  const repository = repositoryOf(root);
  if (repository === undefined) return undefined;
  const { gitDir, top } = repository;
  const common = commonDir(gitDir);
  const trees = foldersIn(join(common, 'worktrees')).filter((tree) => tree !== gitDir);
  const modules = modulesIn(join(common, 'modules'));
  const pointer = top === undefined ? [] : [join(top, '.git')].filter((path) => statSync(path).isFile());
  const own = gitDir === common ? [] : ['commondir', 'gitdir'].map((name) => join(gitDir, name));
  const settings = [common, ...modules].flatMap((folder) => [join(folder, 'config'), join(folder, 'hooks')]);
  const redirects = [gitDir, common, ...trees, ...modules].flatMap((folder) =>
    ['commondir', 'config.worktree'].map((name) => join(folder, name)),
  );
  const fixed = [...settings, ...own, join(gitDir, 'config.worktree'), ...pointer].filter((path) => existsSync(path));
  return {
    writable: [...new Set([common, gitDir])],
    fixed,
    watched: [...new Set([...redirects, join(common, 'hooks')])].filter((path) => !fixed.includes(path)),
  };
}

/** Remembers the watched files; the result puts back what was changed, and names it. */
export function watchBorders({ watched }: RepositoryBorders): () => readonly string[] {
  const before = watched.map((path) => ({ path, folder: realOf(dirname(path)), bytes: contentOf(path) }));
  return () => before.filter(putBack).map(({ path }) => path);
}

interface Remembered {
  readonly path: string;
  readonly folder: string | undefined;
  readonly bytes: Buffer | undefined;
}

/** True when something had to be done. A folder that is gone or leads elsewhere by now is left alone. */
function putBack({ path, folder, bytes }: Remembered): boolean {
  if (folder === undefined || realOf(dirname(path)) !== folder) return false;
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (bytes === undefined ? now === undefined : now?.isFile() && contentOf(path)?.equals(bytes)) return false;
  try {
    rmSync(path, { recursive: true, force: true });
    if (bytes !== undefined) writeFileSync(path, bytes, { flag: 'wx' });
  } catch (error) {
    throw new ToolError('failed', `The command changed ${path}, and it could not be put back: ${String(error)}`);
  }
  return true;
}

function repositoryOf(root: string): Repository | undefined {
  try {
    return findRepository(root);
  } catch {
    return undefined;
  }
}

/** Git folders of submodules, whose names may hold slashes. */
function modulesIn(folder: string): readonly string[] {
  const found: string[] = [];
  const waiting = foldersIn(folder);
  while (waiting.length > 0 && found.length < mostFound) {
    const next = waiting.shift()!;
    if (!existsSync(join(next, 'HEAD'))) waiting.push(...foldersIn(next).slice(0, mostFound));
    else found.push(next, ...modulesIn(join(next, 'modules')));
  }
  return found;
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .slice(0, mostFound)
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
