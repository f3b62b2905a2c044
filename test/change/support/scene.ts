import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../src/change/change.ts';
import type { Origin } from '../../../src/change/journal.ts';
import { entryPath } from '../../../src/workspace/entry-path.ts';
import { digestOf, type FileState, fileState } from '../../../src/workspace/file-state.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

export const origin: Origin = { callId: 'call-1', session: 'session-1', tool: 'apply_patch' };

/** Lays out what `everyKindOfChange` changes. */
export function setScene(folder: string): void {
  const write = (name: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  };
  write('modified', 'old\n', 0o600);
  write('renamed', 'same\n', 0o755);
  write('reworked', 'old name, old text\n');
  write('deleted', 'going\n', 0o640);
  write('linked', `${'old line\n'.repeat(2000)}`);
  linkSync(join(folder, 'linked'), join(folder, 'linked-too'));
  write('script', '#!/bin/sh\n');
  symlinkSync('modified', join(folder, 'pointer'));
  write('bystander', 'untouched\n');
}

/** One change of every kind that leads to a different operation on the disk. */
export async function everyKindOfChange(workspace: Workspace): Promise<Change[]> {
  const at = (name: string) => workspace.resolve(name);
  const read = (name: string) => workspace.read(at(name));
  const text = (text: string, mode?: number): FileState => fileState(Buffer.from(text), mode);
  const link = (target: string): FileState => {
    const bytes = Buffer.from(target);
    return { kind: 'symlink', bytes, mode: 0o777, digest: digestOf(bytes) };
  };
  const [renamed, script] = [await read('renamed'), await read('script')];
  return [
    { type: 'modify', path: at('modified'), before: await read('modified'), after: text('new\n', 0o600) },
    { type: 'rename', path: at('renamed'), to: at('deep/er/renamed'), before: renamed, after: renamed },
    { type: 'rename', path: at('reworked'), to: at('deep/new'), before: await read('reworked'), after: text('new\n') },
    { type: 'delete', path: at('deleted'), before: await read('deleted') },
    { type: 'modify', path: at('linked'), before: await read('linked'), after: text('new line\n'.repeat(1500)) },
    { type: 'modify', path: at('script'), before: script, after: { ...script, mode: 0o755 } },
    { type: 'create', path: at('made/here'), after: text('made\n') },
    { type: 'modify', path: entryPath(workspace.root, 'pointer'), before: link('modified'), after: link('bystander') },
  ];
}

/** Replaces the 66 MB of `big`. */
export async function bigChange(workspace: Workspace): Promise<Change[]> {
  const path = workspace.resolve('big');
  const before = await workspace.read(path);
  return [{ type: 'modify', path, before, after: fileState(Buffer.alloc(66_000_000, 'n'), before.mode) }];
}

/** Everything in a folder: type, mode, number of names, content. */
export function picture(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) seen[name] = 'folder';
    else if (stats.isSymbolicLink()) seen[name] = `link to ${readlinkSync(path)}`;
    else seen[name] = `${mode} x${stats.nlink} ${digestOf(readFileSync(path)).slice(0, 12)}`;
  }
  return seen;
}
