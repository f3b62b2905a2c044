import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Sockets of services that start programs or mount folders for whoever connects: a read-only mount does not keep anybody from
 * connecting, so each would be a way out of the sandbox. The user's runtime folder holds D-Bus and systemd.
 */
const services: readonly string[] = [
  ...['docker.sock', 'podman', 'containerd', 'crio', 'libvirt', 'incus', 'lxd.socket'].map((name) => `/run/${name}`),
  ...['snapd.socket', 'snapd-snap.socket', 'dbus', 'systemd', 'user'].map((name) => `/run/${name}`),
  ...['/var/run/docker.sock', '/var/lib/lxd', '/var/lib/incus', '/var/snap/lxd/common/lxd'],
];

const servicesOfHome: readonly string[] = [
  '.docker/run',
  '.docker/desktop',
  '.colima',
  '.lima',
  '.rd',
  '.orbstack/run',
];

/** Needed for looking up host names. */
const kept: readonly string[] = ['/run/systemd/resolve'];

export interface WaysOut {
  readonly hidden: readonly string[];
  /** What lies below them and is to be seen nevertheless. */
  readonly shown: readonly string[];
}

/** The ways out that exist here. Those that `allowed` names (from the configuration) stay open. */
export function waysOut(home: string, allowed: readonly string[], env: NodeJS.ProcessEnv = process.env): WaysOut {
  const host = /^unix:\/\/(\/.+)/.exec(env.DOCKER_HOST ?? '')?.[1];
  const all = [...services, ...servicesOfHome.map((name) => join(home, name)), ...(host === undefined ? [] : [host])];
  const open = new Set(allowed.flatMap(real));
  const hidden = new Set(all.flatMap(real).filter((path) => !open.has(path)));
  return { hidden: [...hidden], shown: [...kept, ...allowed].flatMap(real).filter((path) => isUnder(path, hidden)) };
}

function real(path: string): readonly string[] {
  return existsSync(path) ? [realpathSync(path)] : [];
}

function isUnder(path: string, folders: ReadonlySet<string>): boolean {
  return [...folders].some((folder) => path.startsWith(`${folder}/`) && statSync(folder).isDirectory());
}
