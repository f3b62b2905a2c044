import { lstatSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { toByteString } from '../base/wildmatch.ts';
import { trackedNames } from '../process/tracked.ts';
import { type IgnoreRules, parseIgnoreFile } from './ignore-rules.ts';
import { type Repository, readSmallFile, repositoryAround, repositoryAt } from './repository.ts';
import { type TrackedFiles, trackedFiles } from './tracked-files.ts';

/**
 * What is ignored in one folder. Git's rules (`.gitignore` files, `info/exclude`; never the user's global excludes)
 * and the tool's own ignore files are separate chains: an entry is ignored when one of them says so. What git tracks is
 * never ignored by git's rules. A nested repository starts git's chain afresh.
 */
export interface IgnoreScope {
  readonly chains: readonly Chain[];
}

/** One kind of ignore file, from the outermost folder in which it counts down to this one. */
interface Chain {
  readonly file: string;
  /** The folder's path from the chain's origin, a byte string: empty or ending in `/`. */
  readonly path: string;
  readonly level: Level | undefined;
  /** True in a folder that the rules ignore but that holds tracked files: whatever isn't tracked in it is ignored. */
  readonly buried?: boolean;
  readonly repository?: { readonly tracked: () => Promise<TrackedFiles | undefined> };
}

/** The rules of one file; `skip` is the length of its folder's path. */
interface Level {
  readonly rules: IgnoreRules;
  readonly skip: number;
  readonly outer: Level | undefined;
}

const gitIgnore = '.gitignore';

export interface IgnoreOptions {
  /** Names of own ignore files, e.g. `.benchdogignore`. They count from the workspace root down. */
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

/** An entry of a folder, as ignore rules see it: a link to a folder is no folder. */
export interface IgnoreSubject {
  readonly name: string;
  readonly directory: boolean;
}

/** `buried`: a folder that rules ignore, but something in it is tracked, so it is walked for that. */
export type IgnoreVerdict = 'shown' | 'ignored' | 'buried';

/** The scope of the workspace root: inside a repository the rules of the folders above it count as well. */
async function rootScope(root: string, options: IgnoreOptions): Promise<IgnoreScope> {
  const own = options.files.map((file) => withLevel({ file, path: '', level: undefined }, root));
  const repository = repositoryAround(root);
  const git = repository === undefined ? undefined : await chainFrom(repository, root, options.signal);
  return { chains: [git ?? withLevel({ file: gitIgnore, path: '', level: undefined }, root), ...own] };
}

interface EnteredFolder {
  readonly name: string;
  readonly abs: string;
  readonly verdict: IgnoreVerdict;
  /** Whether the folder has an entry, when that is known already: saves looking for ignore files that aren't there. */
  readonly has?: (name: string) => boolean;
}

/** The scope of a folder in the folder of `scope`. */
export function enterFolder(scope: IgnoreScope, folder: EnteredFolder, signal: AbortSignal): IgnoreScope {
  const has = folder.has ?? (() => true);
  const repository = has('.git') ? repositoryAt(folder.abs) : undefined;
  const path = `${toByteString(folder.name)}/`;
  const chains = scope.chains.map((chain): Chain => {
    if (chain.file === gitIgnore && repository !== undefined)
      return withLevel(gitChain(repository, signal), folder.abs);
    const inner = { ...chain, path: chain.path + path, buried: chain.buried === true || folder.verdict === 'buried' };
    return has(chain.file) ? withLevel(inner, folder.abs) : inner;
  });
  return { chains };
}

/** True when no rule at all is in force. */
export function isOpenScope(scope: IgnoreScope): boolean {
  return scope.chains.every((chain) => chain.level === undefined && !chain.buried);
}

/** What becomes of a folder's entries, in their order. */
export async function judgeEntries(scope: IgnoreScope, entries: readonly IgnoreSubject[]): Promise<IgnoreVerdict[]> {
  const verdicts = entries.map((): IgnoreVerdict => 'shown');
  for (const chain of scope.chains) {
    if (chain.level === undefined && !chain.buried) continue;
    for (const [at, entry] of entries.entries()) {
      if (verdicts[at] !== 'ignored' && ignoredBy(chain, entry)) {
        verdicts[at] = (await isTracked(chain, entry)) ? 'buried' : 'ignored';
      }
    }
  }
  return verdicts;
}

async function isTracked(chain: Chain, entry: IgnoreSubject): Promise<boolean> {
  const tracked = await chain.repository?.tracked();
  return tracked?.has(chain.path + toByteString(entry.name)) === true;
}

function ignoredBy(chain: Chain, entry: IgnoreSubject): boolean {
  if (chain.buried && chain.repository !== undefined) return true;
  const name = toByteString(entry.name);
  const path = chain.path + name;
  for (let level = chain.level; level !== undefined; level = level.outer) {
    const verdict = level.rules.verdict(path.slice(level.skip), name, entry.directory);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

// Where file systems fold case, git init sets core.ignoreCase.
const fold = process.platform === 'darwin' || process.platform === 'win32';

function withLevel(chain: Chain, folder: string): Chain {
  const bytes = readSmallFile(join(folder, chain.file));
  if (bytes === undefined) return chain;
  return { ...chain, level: { rules: parseIgnoreFile(bytes, { fold }), skip: chain.path.length, outer: chain.level } };
}

function gitChain(repository: Repository, signal: AbortSignal): Chain {
  const exclude = readSmallFile(repository.excludeFile);
  const level = exclude && { rules: parseIgnoreFile(exclude, { fold }), skip: 0, outer: undefined };
  return { file: gitIgnore, path: '', level, repository: { tracked: trackedOnce(repository, signal) } };
}

function trackedOnce(repository: Repository, signal: AbortSignal): () => Promise<TrackedFiles | undefined> {
  let files: Promise<TrackedFiles | undefined> | undefined;
  return () => {
    files ??= trackedNames(repository.top, signal).then((names) => names && trackedFiles(names));
    return files;
  };
}

/** Git's chain at `root` inside `repository`; undefined when git ignores the root itself, so that its rules say nothing of it. */
async function chainFrom(repository: Repository, root: string, signal: AbortSignal): Promise<Chain | undefined> {
  let scope: IgnoreScope = { chains: [withLevel(gitChain(repository, signal), repository.top)] };
  let abs = repository.top;
  for (const name of relative(repository.top, root).split(sep).filter(Boolean)) {
    const [verdict = 'shown'] = await judgeEntries(scope, [{ name, directory: true }]);
    if (verdict === 'ignored') return undefined;
    abs = join(abs, name);
    scope = enterFolder(scope, { name, abs, verdict }, signal);
  }
  return scope.chains[0];
}

/** Judges single paths, e.g. those a search engine found; what it learns of folders it remembers. */
export interface IgnoreJudge {
  /** True when the path (relative to the root, `/` separators) or a folder it lies in is ignored. */
  ignored(rel: string): Promise<boolean>;
  /** The scope of a folder, `.` for the root; undefined when it is ignored. */
  scopeOf(folder: string): Promise<IgnoreScope | undefined>;
}

export async function ignoreJudge(root: string, options: IgnoreOptions): Promise<IgnoreJudge> {
  const scopes = new Map<string, IgnoreScope | undefined>([['.', await rootScope(root, options)]]);
  const judge = async (rel: string, directory: boolean): Promise<{ outer?: IgnoreScope; verdict: IgnoreVerdict }> => {
    const outer = await scopeOf(posix.dirname(rel));
    if (outer === undefined) return { verdict: 'ignored' };
    const [verdict = 'shown'] = await judgeEntries(outer, [{ name: posix.basename(rel), directory }]);
    return { outer, verdict };
  };
  const scopeOf = async (folder: string): Promise<IgnoreScope | undefined> => {
    if (scopes.has(folder)) return scopes.get(folder);
    const { outer, verdict } = await judge(folder, true);
    const place = { name: posix.basename(folder), abs: join(root, folder), verdict };
    const scope = outer === undefined || verdict === 'ignored' ? undefined : enterFolder(outer, place, options.signal);
    scopes.set(folder, scope);
    return scope;
  };
  return {
    scopeOf,
    async ignored(rel) {
      if (rel === '.') return false;
      const directory = lstatSync(join(root, rel), { throwIfNoEntry: false })?.isDirectory() === true;
      return (await judge(rel, directory)).verdict === 'ignored';
    },
  };
}
