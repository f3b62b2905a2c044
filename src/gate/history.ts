import { statSync } from 'node:fs';
import { join } from 'node:path';
import { joinSignals } from '../base/join-signals.ts';
import { openGit } from '../process/git.ts';
import { commonDir, findRepository, type Repository } from '../process/git-repository.ts';
import type { HiddenNames } from './shell/line.ts';

/** What the history of the workspace's repository could tell of denied files: a commit keeps what a later one took away. */
export interface History {
  /**
   * Asks git, if something changed since it was asked last; for what is new each time. Never throws; what takes too long
   * stays unknown.
   */
  look(what?: { readonly untracked: boolean }): Promise<void>;
  /** For a command that runs in `folder`. Undefined in no repository; `unknown` where git was not asked. */
  hidden(folder: string): HiddenNames | 'unknown' | undefined;
}

export interface HistoryOptions {
  readonly root: string;
  /** Patterns of names that may be denied, as rules have them. */
  readonly patterns: readonly string[];
  readonly readable: (path: string) => boolean;
}

const maxMs = 2000;
const maxBytes = 1024 * 1024;

export function openHistory(options: HistoryOptions): History {
  let known: { readonly mark: string; readonly names: HiddenNames | 'unknown' } | undefined;
  let looking: Promise<void> | undefined;
  const look = async () => {
    const repository = repositoryOf(options.root);
    const mark = repository === undefined ? '' : markOf(repository);
    if (repository === undefined || known?.mark === mark) return;
    known = { mark, names: await askGit(options, repository).catch(() => 'unknown' as const) };
  };
  let untracked: readonly string[] | undefined;
  const lookForNew = async () => {
    const repository = repositoryOf(options.root);
    untracked = repository && (await newNames(options, repository).catch(() => undefined));
  };
  return {
    look: async (what) => {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await looking;
      if (what?.untracked) await lookForNew();
    },
    hidden(folder) {
      const repository = repositoryOf(folder);
      if (repository === undefined) return undefined;
      const ours = repositoryOf(options.root)?.gitDir === repository.gitDir;
      if (!ours || known?.mark !== markOf(repository) || known.names === 'unknown') return 'unknown';
      return untracked === undefined ? known.names : { ...known.names, untracked };
    },
  };
}

function repositoryOf(folder: string): Repository | undefined {
  try {
    return findRepository(folder);
  } catch {
    // A pointer that leads astray: git's own tools refuse it.
    return undefined;
  }
}

/** Changes with every commit, fetch and stash, and with the index. */
function markOf({ gitDir }: Repository): string {
  const common = commonDir(gitDir);
  const files = [join(gitDir, 'HEAD'), join(gitDir, 'index'), join(gitDir, 'logs/HEAD'), join(gitDir, 'FETCH_HEAD')];
  return [...files, join(common, 'packed-refs'), join(common, 'logs/refs/stash')].map(stampOf).join(' ');
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '-' : `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

async function askGit(options: HistoryOptions, repository: Repository): Promise<HiddenNames | 'unknown'> {
  const limit = joinSignals([], maxMs);
  return namesInGit(options, repository, limit.signal).finally(limit.release);
}

async function namesInGit(
  options: HistoryOptions,
  repository: Repository,
  signal: AbortSignal,
): Promise<HiddenNames | 'unknown'> {
  const now = await deniedNames(options, repository, ['ls-files', '-z', '--full-name', '--cached'], signal);
  const log = ['log', '--all', '-z', '--format=', '--name-only', '--no-renames', '-m'];
  const ever = now && (await deniedNames(options, repository, log, signal));
  return ever === undefined ? 'unknown' : { now: now!, ever };
}

/** Denied files that are there, neither tracked nor ignored. */
async function newNames(options: HistoryOptions, repository: Repository): Promise<readonly string[] | undefined> {
  const limit = joinSignals([], maxMs);
  const others = ['ls-files', '-z', '--full-name', '--others', '--exclude-standard'];
  return deniedNames(options, repository, others, limit.signal).finally(limit.release);
}

async function deniedNames(
  { root, patterns, readable }: HistoryOptions,
  { top }: Repository,
  args: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const git = await openGit(root, { signal });
  const specs = patterns.flatMap((pattern) => [pattern, `*/${pattern}`]).map((one) => `:(top,icase)${escaped(one)}`);
  const ran = await git?.run([...args, '--', ...specs], { maxBytes });
  if (ran === undefined || ran.code !== 0 || ran.total > maxBytes) return undefined;
  const names = ran.stdout
    .toString()
    .split(/[\0\n]+/)
    .filter(Boolean);
  return [...new Set(names)].map((name) => join(top ?? root, name)).filter((path) => !readable(path));
}

/** Brackets and backslashes mean themselves in rules. */
function escaped(pattern: string): string {
  return pattern.replaceAll(/[[\]\\]/g, '\\$&');
}
