import { parse } from 'node:path';
import { asToolError, ToolError } from '../base/error.ts';
import { type Capture, type CaptureOptions, capture } from './capture.ts';
import { childEnvironment, type Environment } from './environment.ts';
import { findRepository, type Repository } from './git-repository.ts';
import { findProgram } from './program.ts';

/**
 * git on one repository, hardened: nothing in the repository or its config runs a program, no lock is taken, nothing is
 * asked or fetched, and paths are literal unless marked otherwise.
 */
export interface Git {
  readonly repository: Repository;
  /** Runs `git ARGS` in the folder it was opened for. Never throws for an exit code. */
  run(args: readonly string[], options?: { readonly maxBytes?: number }): Promise<Capture>;
}

export interface GitOptions {
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

/** `openGit` of a folder in no repository: undefined. Throws `failed` when git is missing or too old. */
export async function openGit(folder: string, options: GitOptions = {}): Promise<Git | undefined> {
  const repository = findRepository(folder);
  if (repository === undefined) return undefined;
  const file = await gitProgram();
  const env = environment(repository, options.env);
  const start = (args: readonly string[], settings: Settings, maxBytes?: number) =>
    captureInTime({
      file,
      args: ['--no-pager', '--no-optional-locks', ...args],
      cwd: folder,
      env: { ...env, ...asVariables(settings) },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  const filters = filterSettings(await start(['config', '--name-only', '-z', '--get-regexp', '^filter\\.'], hardening));
  return {
    repository,
    run: (args, { maxBytes } = {}) => start(args, [...hardening, ...filters], maxBytes),
  };
}

async function captureInTime(options: CaptureOptions): Promise<Capture> {
  try {
    return await capture(options);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'timeout') throw error;
    throw new ToolError('timeout', `${error.message} Ask for less: one path, or fewer lines.`);
  }
}

type Settings = readonly (readonly [key: string, value: string])[];

/** Everything git reads from a config that runs a program, talks to the network or changes the form of its output. */
const hardening: Settings = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['log.showSignature', 'false'],
  ['color.ui', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
  // A refresh would write the index; `status` does not, by --no-optional-locks, but `diff` knows no such option.
  ['diff.autoRefreshIndex', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  // Files that config names are read whole: a device never ends, and git prints what it can't make sense of.
  ['mailmap.file', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['diff.renameLimit', '1000'],
  // Larger files are told apart, not compared: git would take a minute and gigabytes for a result that nobody sees whole.
  ['core.bigFileThreshold', '32m'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Switches every filter driver off by name; an empty command is none, and then it must not be required. */
function filterSettings({ stdout }: Capture): Settings {
  const names = stdout
    .toString()
    .split('\0')
    .filter((key) => key.startsWith('filter.'))
    .map((key) => key.slice('filter.'.length, key.lastIndexOf('.')));
  return [...new Set(names)].flatMap((name) => [
    [`filter.${name}.clean`, ''] as const,
    [`filter.${name}.smudge`, ''] as const,
    [`filter.${name}.process`, ''] as const,
    [`filter.${name}.required`, 'false'] as const,
  ]);
}

/** As variables, because in `-c NAME=VALUE` a name that holds `=` would be cut at the wrong place. git-config(1). */
function asVariables(settings: Settings): Environment {
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length) };
}

function environment(repository: Repository, base?: NodeJS.ProcessEnv): Environment {
  return {
    ...hardenedEnvironment(base),
    GIT_DIR: repository.gitDir,
    // Also in the way of core.worktree, with which a repository names any folder as its own.
    ...(repository.top === undefined ? {} : { GIT_WORK_TREE: repository.top }),
  };
}

/** For git commands that look for the repository themselves and read no file of its work tree, so that no filter is asked. */
export function hardenedEnvironment(base: NodeJS.ProcessEnv = process.env): Environment {
  const inherited = Object.entries(childEnvironment(base)).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    ...asVariables(hardening),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    // A partial clone would fetch what it lacks, over a transport its config names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** The first release that takes its config from numbered variables; an older one would ignore the hardening. */
const oldest = { major: 2, minor: 31 };
let program: Promise<string> | undefined;

function gitProgram(): Promise<string> {
  program ??= checkedProgram().catch((error: unknown) => {
    program = undefined;
    throw asToolError(error);
  });
  return program;
}

async function checkedProgram(): Promise<string> {
  const file = findProgram('git');
  if (file === undefined) throw new ToolError('failed', 'git is not installed, so the git tools cannot be used.');
  const { stdout } = await capture({
    file,
    args: ['--version'],
    cwd: parse(process.cwd()).root,
    env: childEnvironment(),
  });
  const version = stdout.toString().trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const ok = Number(major) > oldest.major || (Number(major) === oldest.major && Number(minor) >= oldest.minor);
  if (ok) return file;
  throw new ToolError('failed', `The git tools need git ${oldest.major}.${oldest.minor} or newer; this is ${version}.`);
}
