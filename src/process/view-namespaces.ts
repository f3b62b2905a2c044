import { delimiter } from 'node:path';
import { findProgram } from './program.ts';
import type { Invocation } from './shell.ts';

/** How a namespace with a mount of its own is entered here, and how a command leaves the rights behind that this took. */
export interface Namespaces {
  /** The program that mounts. */
  readonly mount: string;
  /** `unshare` with its options, to be put in front of a program. */
  outside(how: Outside): readonly string[];
  /** The command as the user that started us, without the right to mount. */
  inside(invocation: Invocation, sandboxed: boolean): readonly string[];
}

export interface Outside {
  /** True: process ids of its own, all of which end with the first. */
  readonly processes?: boolean;
  /** Default true. */
  readonly network?: boolean;
}

/** The ways that may work here, best first; empty where the programs for it are missing. */
export function namespaceWays(): readonly Namespaces[] {
  const path = [process.env.PATH ?? '', '/usr/sbin', '/sbin', '/usr/bin', '/bin'].join(delimiter);
  const [unshare, mount] = [findProgram('unshare', path), findProgram('mount', path)];
  if (unshare === undefined || mount === undefined) return [];
  const user = asUser(unshare, mount);
  return process.getuid?.() === 0 ? [asRoot(unshare, mount, findProgram('setpriv', path)), user] : [user];
}

/**
 * Root needs no user namespace, and without one keeps the rights over files of every owner. What it loses is what leads around
 * a view: to mount, and to reach the workspace through the folders of processes outside (/proc/PID/root; ptrace(2)).
 */
function asRoot(unshare: string, mount: string, setpriv: string | undefined): Namespaces {
  const drop = setpriv === undefined ? [] : [setpriv, `--bounding-set=${lost}`, `--inh-caps=${lost}`, '--'];
  return {
    mount,
    outside: (how) => [unshare, ...ownMounts, ...common(how)],
    inside: ({ file, args }, sandboxed) => [...(sandboxed ? [] : drop), file, ...args],
  };
}

const lost = '-sys_admin,-sys_ptrace';

/** Root in a namespace of its own may mount; inside it, another one gives the caller's id back and takes that right away. */
function asUser(unshare: string, mount: string): Namespaces {
  const [user, group] = [String(process.getuid?.() ?? 0), String(process.getgid?.() ?? 0)];
  const isRoot = user === '0';
  const byBubblewrap = isRoot ? [] : ['--unshare-user', '--uid', user, '--gid', group, '--cap-drop', 'ALL'];
  const byUnshare = isRoot ? [] : [unshare, '--user', `--map-user=${user}`, `--map-group=${group}`, '--'];
  return {
    mount,
    outside: (how) => [unshare, '--user', '--map-root-user', ...ownMounts, ...common(how)],
    inside: ({ file, args }, sandboxed) =>
      sandboxed ? [file, ...byBubblewrap, ...args] : [...byUnshare, file, ...args],
  };
}

/** What is unmounted outside goes here too: a view that stands ready must not keep a disk in use. Nothing gets out. */
const ownMounts = ['--mount', '--propagation', 'slave'];

function common({ processes = false, network = true }: Outside): readonly string[] {
  return [...(processes ? ['--pid', '--fork', '--kill-child'] : []), ...(network ? [] : ['--net']), '--'];
}
