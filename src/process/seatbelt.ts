import { homedir } from 'node:os';
import { cacheFolders, type Sandbox, type SandboxOptions } from './confinement.ts';
import type { Invocation } from './shell.ts';

const program = '/usr/bin/sandbox-exec';

/** macOS. By design only: written from the profile language's public descriptions, untested. */
export function seatbelt(options: SandboxOptions): Sandbox {
  return {
    name: 'seatbelt',
    wrap: ({ file, args }: Invocation) => ({ file: program, args: ['-p', profile(options), file, ...args] }),
  };
}

/** Everything allowed but writing outside the named folders, reading what is hidden and, if so configured, the network. */
export function profile({ root, write = [], hide, network = true, temp }: SandboxOptions): string {
  const folders = [root, ...write, ...cacheFolders(homedir()), temp ?? '/private/tmp', '/private/var/folders', '/dev'];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...folders.map((folder) => `(allow file-write* (subpath ${quote(folder)}))`),
    ...['config', 'hooks'].map((name) => `(deny file-write* (subpath ${quote(`${root}/.git/${name}`)}))`),
    ...(hide?.() ?? []).map((path) => `(deny file-read* file-write* (subpath ${quote(path)}))`),
    ...(network ? [] : ['(deny network*)']),
  ].join('\n');
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
