import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { capture } from './capture.ts';
import { cacheFolders, none, type Sandbox, type SandboxOptions } from './confinement.ts';
import { childEnvironment } from './environment.ts';
import { commonDir, findRepository, type Repository } from './git-repository.ts';
import { findProgram } from './program.ts';

/** The sandbox of Linux, when it is installed and the kernel lets it work. */
export async function bubblewrap(options: SandboxOptions): Promise<Sandbox> {
  const file = process.platform === 'linux' ? findProgram('bwrap') : undefined;
  if (file === undefined) return none('bubblewrap is not installed');
  const problem = await probed(file);
  if (problem !== undefined) return none(problem);
  return {
    name: 'bubblewrap',
    wrap: (invocation, cwd) => ({
      file,
      args: [...bubblewrapArguments(options), '--chdir', cwd, '--', invocation.file, ...invocation.args],
    }),
  };
}

const probes = new Map<string, Promise<string | undefined>>();

/** Whether the kernel lets it work: in containers it often does not. The answer is the problem, or undefined. */
function probed(file: string): Promise<string | undefined> {
  const known = probes.get(file);
  if (known !== undefined) return known;
  const args = [...base, '--', '/bin/true'];
  const probe = capture({ file, args, cwd: '/', env: childEnvironment(), timeoutMs: 5000 }).then(
    ({ code, stderr }) => (code === 0 ? undefined : `bubblewrap does not work here (${stderr.trim()})`),
    (error: Error) => error.message,
  );
  probes.set(file, probe);
  return probe;
}

/**
 * Everything readable, nothing writable, processes of its own that end with it. As root the capabilities are kept only as
 * far as files go: with CAP_SYS_ADMIN a command could mount its way out.
 */
const base: readonly string[] = [
  ...['--die-with-parent', '--unshare-pid', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...(process.getuid?.() === 0 ? keepFileCapabilities() : []),
];

function keepFileCapabilities(): readonly string[] {
  const kept = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'NET_BIND_SERVICE'];
  return ['--cap-drop', 'ALL', ...kept.flatMap((name) => ['--cap-add', `CAP_${name}`])];
}

/** The arguments, in mounting order: later ones lie on top. */
export function bubblewrapArguments(options: SandboxOptions): readonly string[] {
  const home = homedir();
  return [
    ...base,
    ...(options.network === false ? ['--unshare-net'] : []),
    ...temporary(options.temp),
    ...(isBelow(home, '/tmp') ? ['--ro-bind', home, home] : []),
    ...writable(cacheFolders(home)),
    ...writable(options.write ?? []),
    ...writable([options.root]),
    ...repositoryMounts(options.root),
    ...(options.hide?.() ?? []).flatMap(hidden),
    ...agentSocket(),
    ...settings(home),
  ];
}

function temporary(folder: string | undefined): readonly string[] {
  if (folder === undefined) return ['--tmpfs', '/tmp', '--tmpfs', '/var/tmp'];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return ['--bind', folder, '/tmp', '--bind', folder, '/var/tmp'];
}

/** A temp elsewhere would be read-only; so would a cache that is not there yet and can't be made. */
function settings(home: string): readonly string[] {
  const missing = (folder: string) => !existsSync(join(home, folder));
  return [
    ...['--setenv', 'TMPDIR', '/tmp'],
    ...(missing('.cache') ? ['--setenv', 'XDG_CACHE_HOME', '/tmp/.cache'] : []),
    ...(missing('.npm') ? ['--setenv', 'npm_config_cache', '/tmp/.npm'] : []),
  ];
}

function writable(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => existsSync(folder)).flatMap((folder) => ['--bind', folder, folder]);
}

/** Commits can be made, but what git runs on its own (config, hooks) stays as it is. Only what exists can be covered. */
function repositoryMounts(root: string): readonly string[] {
  const repository = repositoryOf(root);
  if (repository === undefined) return [];
  const { gitDir, top } = repository;
  const common = commonDir(gitDir);
  const fixed = [join(common, 'config'), join(common, 'hooks'), join(gitDir, 'config.worktree')];
  const pointer = top === undefined ? [] : [join(top, '.git')].filter((path) => statSync(path).isFile());
  // A mount of its own also where it is writable anyway: else it could be moved away and another put in its place.
  return [
    ...writable([...new Set([common, gitDir])]),
    ...[...fixed, ...pointer].filter((path) => existsSync(path)).flatMap(readOnly),
  ];
}

function repositoryOf(root: string): Repository | undefined {
  try {
    return findRepository(root);
  } catch {
    return undefined;
  }
}

function readOnly(path: string): readonly string[] {
  return ['--ro-bind', path, path];
}

/** An empty folder, or a device that can't be opened there, in place of what must not be read. */
function hidden(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  return statSync(real).isDirectory() ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
}

/** The socket of an ssh agent often lies in /tmp. */
function agentSocket(): readonly string[] {
  const socket = process.env.SSH_AUTH_SOCK;
  return socket !== undefined && isBelow(socket, '/tmp') && existsSync(socket) ? ['--bind', socket, socket] : [];
}

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || !(rest === '..' || rest.startsWith('../') || rest.startsWith('/'));
}
