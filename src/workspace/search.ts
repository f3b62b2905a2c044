import { ToolError } from '../base/error.ts';
import type { SearchEngine } from '../process/rg-engine.ts';
import { type IgnoreJudge, ignoreJudge } from './ignore.ts';
import { kernelMounts, refuseKernel } from './kernel-mounts.ts';
import { type FilePath, type Root, resolvePath } from './path.ts';
import { ignoredFolders } from './prune.ts';
import { engineArguments } from './search-arguments.ts';
import { encodingFor } from './search-base.ts';
import { patternError } from './search-errors.ts';
import { type FileRows, type Hit, readRows } from './search-rows.ts';
import type { Workspace } from './workspace.ts';

export interface SearchQuery {
  readonly pattern: string;
  /** The pattern is text, not a regular expression. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** `.` and the pattern may cross line ends. Undefined where this can't be asked for. */
  readonly multiline?: boolean;
  /** What is asked of each file: its lines, or how many there are (`Hit.line` of a single hit). Default `lines`. */
  readonly ask?: 'lines' | 'count';
  /** File type by the engine's name for it, e.g. `ts`. */
  readonly type?: string;
  /** Folders or files to search, real places in the workspace. */
  readonly bases: readonly FilePath[];
  /** Which files count; `rel` is relative to the root. Default: all. */
  readonly accepts?: (rel: string) => boolean;
  /** Every accepted path ends with one of these; spares opening the others. */
  readonly endings?: readonly string[];
  /** Folders of these names are never gone into; `.git` never is. */
  readonly skipFolders: readonly string[];
  /** Names of own ignore files; undefined searches ignored files too. */
  readonly ignoreFiles: readonly string[] | undefined;
  /** Larger files are left out. */
  readonly maxFileBytes?: number;
  /** The most lines wanted of one file. */
  readonly perFile: number;
}

/** A file with hits that may be read. */
export interface FileHits {
  readonly path: FilePath;
  readonly hits: readonly Hit[];
}

/** What a search could not look at. */
export interface SearchTrouble {
  readonly unreadable: string[];
  /** Files with hits whose names are not UTF-8. */
  unspellable: number;
  /** Bases that ignore rules leave out. */
  readonly ignored: string[];
  /** Files searched up to a NUL byte at most: those with hits, and bases. */
  readonly binary: string[];
  /** Files without hits that are neither UTF-8 nor UTF-16, when the pattern is not ASCII. */
  readonly oldEncoding: string[];
  /** True when the search took too long and was ended. */
  overtime: boolean;
}

export function noTrouble(): SearchTrouble {
  return { unreadable: [], unspellable: 0, ignored: [], binary: [], oldEncoding: [], overtime: false };
}

/** A search may take so long, in milliseconds; then what was found counts. */
export const longestSearch = 120_000;

/**
 * Searches files for lines. The engine only finds candidates; whether a file counts is decided here, by its real place:
 * ignored, hidden and outside files are dropped, and callers read every line again through the workspace. Files come in
 * no stable order. Leaving the loop ends the engine. Throws `invalid` for a pattern the engine can't take.
 */
export async function* searchFiles(
  workspace: Workspace,
  engine: SearchEngine,
  query: SearchQuery,
  trouble: SearchTrouble,
  signal: AbortSignal,
): AsyncGenerator<FileHits> {
  signal.throwIfAborted();
  const searched = searchedRoot(workspace, query.bases);
  const kernel = searched.mount === undefined ? kernelMounts(workspace.root) : [];
  for (const base of query.bases) refuseKernel(base, kernel);
  const root = searched.real;
  const rules = searched.mount === undefined ? query.ignoreFiles : undefined;
  const judge = rules && (await ignoreJudge(root, { files: rules, signal }));
  for (const { rel } of query.bases) if (await judge?.ignored(rel)) trouble.ignored.push(rel);
  const encoding = await encodingFor(workspace, query.bases, trouble);
  const admit = admission(workspace, searched, query, judge, trouble);
  const leave = [...kernel, ...(await foldersToLeave(root, query, judge))];
  const run = engine.start(engineArguments(query, { leave, encoding }), root);
  const timer = setTimeout(() => {
    trouble.overtime = true;
    run.stop();
  }, longestSearch);
  signal.addEventListener('abort', run.stop, { once: true });
  try {
    for await (const rows of readRows(run.output)) {
      const file = await admit(rows);
      signal.throwIfAborted();
      if (file !== undefined) yield file;
    }
    const { code, errors } = await run.ended;
    signal.throwIfAborted();
    if (code > 1 && !trouble.overtime) noteTrouble(errors, workspace, query, trouble);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', run.stop);
    run.stop();
  }
}

/** The workspace, or the mount (`@output`) that all of `bases` lie in: the engine searches one of them at a time. */
function searchedRoot(workspace: Workspace, bases: readonly FilePath[]): Root {
  const mounts = new Set(bases.map(({ mount }) => mount));
  if (mounts.size < 2) return bases[0] === undefined ? workspace.root : workspace.rootOf(bases[0]);
  throw new ToolError(
    'conflict',
    `${[...mounts].filter(Boolean).join(', ')}: search it by itself, not with other paths.`,
  );
}

async function foldersToLeave(root: string, query: SearchQuery, judge: IgnoreJudge | undefined): Promise<string[]> {
  if (judge === undefined) return [];
  const found = query.bases.map((base) => ignoredFolders(root, judge, base.rel, query.skipFolders));
  return (await Promise.all(found)).flat();
}

/** Decides of each file the engine reports whether it counts. */
function admission(
  workspace: Workspace,
  root: Root,
  query: SearchQuery,
  judge: IgnoreJudge | undefined,
  trouble: SearchTrouble,
) {
  return async ({ path: bytes, hits, stopped }: FileRows): Promise<FileHits | undefined> => {
    const rel = bytes.toString('utf8').replace(/^\.[/\\]/, '');
    if (!Buffer.from(rel).equals(bytes.subarray(bytes.length - Buffer.byteLength(rel)))) {
      trouble.unspellable += 1;
      return undefined;
    }
    if (query.accepts?.(rel) === false) return undefined;
    const path = placeOf(root, rel);
    if (path === undefined || !workspace.searchable(path) || (await judge?.ignored(rel))) return undefined;
    if (stopped) trouble.binary.push(rel);
    return { path, hits };
  };
}

/** The file's path when it really lies where it was found, not behind a link that has come up since. */
function placeOf(root: Root, rel: string): FilePath | undefined {
  try {
    const path = resolvePath(root, rel, 'relative');
    return path.rel === (root.mount === undefined ? rel : `${root.mount}/${rel}`) ? path : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Takes the engine's complaints apart: about the pattern (thrown), about files (noted). */
function noteTrouble(errors: string, workspace: Workspace, query: SearchQuery, trouble: SearchTrouble): void {
  const refused = patternError(errors, query);
  if (refused !== undefined) throw refused;
  const files = [...errors.matchAll(/^rg: (?:\.[/\\])?(.*): .* \(os error \d+\)$/gm)].map((match) => match[1]!);
  if (files.length === 0) throw new ToolError('failed', `The search failed: ${errors.trim().slice(0, 500)}`);
  for (const file of files)
    if (query.accepts?.(file) !== false && mayBeNamed(workspace, file)) trouble.unreadable.push(file);
}

/** The engine may have stumbled behind a name that was a link for a moment: what lies there is nobody's business. */
function mayBeNamed(workspace: Workspace, rel: string): boolean {
  const path = placeOf(workspace.root, rel);
  if (path === undefined || !workspace.visible(path)) return false;
  try {
    return workspace.stat(path) !== undefined;
  } catch {
    return false;
  }
}
