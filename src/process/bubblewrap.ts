import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { makeOwnFolder } from '../base/own-folder.ts';
import { capture } from './capture.ts';
import { cacheFolders, none, type Sandbox, type SandboxOptions } from './confinement.ts';
import { childEnvironment } from './environment.ts';
import { findProgram } from './program.ts';
import { type RepositoryBorders, repositoryBorders, watchBorders } from './sandbox-repository.ts';
import { waysOut } from './sandbox-ways-out.ts';

/** The sandbox of Linux, when it is installed and the kernel lets it work. */
export async function bubblewrap(options: SandboxOptions): Promise<Sandbox> {
  const file = process.platform === 'linux' ? findProgram('bwrap') : undefined;
  if (file === undefined) return none('bubblewrap is not installed');
  const problem = await probed(file);
  if (problem !== undefined) return none(problem);
  return {
    name: 'bubblewrap',
    wrap: (invocation, cwd) => {
      const borders = repositoryBorders(options.root);
      const args = [
        ...bubblewrapArguments(options, borders),
        '--chdir',
        cwd,
        '--',
        invocation.file,
        ...invocation.args,
      ];
      return borders === undefined ? { file, args } : { file, args, after: putBackAfter(borders) };
    },
  };
}

function putBackAfter(borders: RepositoryBorders): () => readonly string[] {
  const putBack = watchBorders(borders);
  return () => putBack().map((path) => `put back as it was, since git takes programs and settings from it: ${path}`);
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
function bubblewrapArguments(options: SandboxOptions, borders: RepositoryBorders | undefined): readonly string[] {
  const home = homedir();
  const { root, write = [], isolated = false } = options;
  const ways = waysOut(home, write);
  // A repository around the workspace would keep what a command did that is only tried out.
  const repository = (folders: readonly string[]) =>
    folders.flatMap((one) => (isolated && !isBelow(one, root) ? readOnly(one) : writable([one])));
  return [
    ...base,
    ...(options.network === false || isolated ? ['--unshare-net'] : []),
    ...(isolated && existsSync('/run') ? ['--tmpfs', '/run'] : []),
    ...temporary(options.temp),
    ...(isBelow(home, '/tmp') ? ['--ro-bind', home, home] : []),
    ...ways.hidden.flatMap(hidden),
    ...ways.shown.flatMap(readOnly),
    ...writable(caches(home, [root, ...write])),
    ...writable(write),
    ...writable([root]),
    ...(borders === undefined ? [] : [...repository(borders.writable), ...borders.fixed.flatMap(readOnly)]),
    ...(options.hide?.() ?? []).flatMap(hidden),
    ...(isolated ? [] : agentSocket(ways.hidden)),
    ...settings(home),
  ];
}

/** A cache that is a link counts where it leads, unless a command could have made the link or it leads to all there is. */
function caches(home: string, changeable: readonly string[]): readonly string[] {
  return cacheFolders(home).filter((folder) => {
    if (!existsSync(folder)) return false;
    const real = realpathSync(folder);
    return real === folder || !(changeable.some((one) => isBelow(folder, one)) || isBelow(realpathSync(home), real));
  });
}

function temporary(folder: string | undefined): readonly string[] {
  if (folder === undefined) return ['--tmpfs', '/tmp', '--tmpfs', '/var/tmp'];
  makeOwnFolder(folder);
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

/** Mounted where a link leads: bubblewrap can't mount over one. */
function writable(folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder))
    .flatMap((folder) => ['--bind', folder, folder]);
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

/** The socket of an ssh agent often lies in /tmp, or in a folder that is hidden. */
function agentSocket(hiddenFolders: readonly string[]): readonly string[] {
  const socket = process.env.SSH_AUTH_SOCK;
  const covered = (path: string) => ['/tmp', ...hiddenFolders].some((folder) => isBelow(path, folder));
  return socket !== undefined && covered(socket) && existsSync(socket) ? ['--bind', socket, socket] : [];
}

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || !(rest === '..' || rest.startsWith('../') || rest.startsWith('/'));
}
