import { ToolError } from '../base/error.ts';
import type { EngineRun, SearchEngine } from '../process/rg-engine.ts';
import { type Admission, admission, placeOf, withoutDot } from './admission.ts';
import { silentMounts } from './distant-mounts.ts';
import { entryPaths } from './entry-paths.ts';
import { type IgnoreJudge, ignoreJudge } from './ignore.ts';
import { kernelMounts, refuseKernel } from './kernel-mounts.ts';
import type { FilePath, Root } from './path.ts';
import { ignoredFolders } from './prune.ts';
import { engineArguments, isFiltered, listArguments, placesOf } from './search-arguments.ts';
import { encodingFor } from './search-base.ts';
import { patternError } from './search-errors.ts';
import { type FileRows, type Hit, readRows } from './search-rows.ts';
import { noteListed, noteSkipped } from './unsearched.ts';
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
  /** False spares looking for the files that are left out as binary: another search of the same files does, or nobody wants to know. */
  readonly tellSkipped?: false;
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
  /** Mounts below the bases that are left out because nothing answers there. */
  silent: readonly string[];
  /** Bases that ignore rules leave out. */
  readonly ignored: string[];
  /** Files searched up to a NUL byte at most: those with hits, and bases. */
  readonly binary: string[];
  /** Files not searched because of a NUL byte. Not known of a search that was ended early. */
  readonly notText: Set<string>;
  /** True when there are more files of these kinds. */
  moreUnsearched: boolean;
  /** Files without hits that are neither UTF-8 nor UTF-16, when the pattern is not ASCII. */
  readonly oldEncoding: string[];
  /** True when the search took too long and was ended. */
  overtime: boolean;
}

export function noTrouble(): SearchTrouble {
  return {
    unreadable: [],
    unspellable: 0,
    silent: [],
    ignored: [],
    binary: [],
    notText: new Set(),
    moreUnsearched: false,
    oldEncoding: [],
    overtime: false,
  };
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
  if (searched.mount === undefined) trouble.silent = await silentBelow(workspace.root, query.bases);
  const root = searched.real;
  const rules = searched.mount === undefined ? query.ignoreFiles : undefined;
  const judge = rules && (await ignoreJudge(root, { files: rules, signal }));
  for (const { rel } of query.bases) if (await judge?.ignored(rel)) trouble.ignored.push(rel);
  const encoding = await encodingFor(workspace, query.bases, trouble);
  const binaryBases = new Set(trouble.binary);
  const admit = admission(workspace, searched, query, judge);
  const closed = [...kernel, ...trouble.silent];
  const leave = [...closed, ...(await foldersToLeave(root, query, judge, closed))];
  const start = (args: readonly string[]) => engine.start(args, root, trouble.silent);
  const leash = leashed(trouble, signal);
  try {
    const run = leash.hold(start(engineArguments(query, { leave, encoding })));
    const files = query.bases.filter((base) => workspace.stat(base)?.isFile());
    for await (const rows of readRows(
      run.output,
      placesOf(files).map((place) => Buffer.from(place)),
    )) {
      const file = await admitted(admit, rows, trouble);
      signal.throwIfAborted();
      if (file !== undefined && !binaryBases.has(file.path.rel)) yield file;
    }
    const { code, errors, skipped } = await run.ended;
    signal.throwIfAborted();
    if (code > 1 && !trouble.overtime) noteTrouble(errors, workspace, query, trouble);
    if (query.tellSkipped === false || trouble.overtime) return;
    // Many files of one folder come one after the other.
    const pathOf = searched.mount === undefined ? entryPaths(searched) : undefined;
    const admitNext = admission(workspace, searched, query, judge, pathOf && ((rel) => pathOf(rel, 'file')));
    const done = { folder: root, query, admit: admitNext, trouble, signal };
    if (!isFiltered(query)) return await noteSkipped(done, skipped);
    const bases = query.bases.filter((base) => workspace.stat(base)?.isDirectory());
    if (bases.length === 0) return;
    await noteListed(done, leash.hold(start(listArguments({ ...query, bases }, { leave }))));
  } finally {
    leash.release();
  }
}

/** Holds the engine that runs: it ends when its time is over, when the call is cancelled, and when it is let go. */
function leashed(trouble: SearchTrouble, signal: AbortSignal) {
  let held: EngineRun | undefined;
  const stop = () => held?.stop();
  const timer = setTimeout(() => {
    trouble.overtime = true;
    stop();
  }, longestSearch);
  signal.addEventListener('abort', stop, { once: true });
  return {
    hold(run: EngineRun): EngineRun {
      held = run;
      return run;
    },
    release(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      stop();
    },
  };
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

async function silentBelow(root: Root, bases: readonly FilePath[]): Promise<string[]> {
  const silent = await silentMounts(root);
  return silent.filter((mount) => bases.some(({ rel }) => rel === '.' || mount === rel || mount.startsWith(`${rel}/`)));
}

async function foldersToLeave(
  root: string,
  query: SearchQuery,
  judge: IgnoreJudge | undefined,
  closed: readonly string[],
): Promise<string[]> {
  if (judge === undefined) return [];
  const found = query.bases.map((base) => ignoredFolders(root, judge, base.rel, query.skipFolders, closed));
  return (await Promise.all(found)).flat();
}

/** A file with hits that counts. One whose name is not UTF-8 is noted: no path text can name it. */
async function admitted(admit: Admission, rows: FileRows, trouble: SearchTrouble): Promise<FileHits | undefined> {
  const rel = withoutDot(rows.path.toString('utf8'));
  const path = await admit(rel);
  if (path === undefined) return undefined;
  if (!Buffer.from(rel).equals(rows.path.subarray(rows.path.length - Buffer.byteLength(rel)))) {
    trouble.unspellable += 1;
    return undefined;
  }
  if (rows.stopped && !trouble.binary.includes(path.rel)) trouble.binary.push(path.rel);
  return rows.hits.length === 0 ? undefined : { path, hits: rows.hits };
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
