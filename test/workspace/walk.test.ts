import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handlesWork } from '../../src/workspace/anchor.ts';
import { folderReader } from '../../src/workspace/read-folder.ts';
import { openWalk } from '../../src/workspace/walk.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

function walkOf(root: string) {
  const workspace = openWorkspace({ root });
  return openWalk(workspace, {
    base: workspace.resolve('.'),
    ignoreFiles: [],
    includeIgnored: true,
    skip: () => false,
    signal: AbortSignal.timeout(60_000),
  });
}

describe('a folder that became a link since it was listed', () => {
  test.each(['sub', 'sub/deep'])('is not gone into: %s', async (swapped) => {
    const root = tempFolder({ 'sub/deep/in.txt': '' });
    const outside = tempFolder({ 'out.txt': '', 'deep/out.txt': '' });
    const { folder, trouble } = await walkOf(root);
    const sub = await folder!.enter(folder!.entries.find(({ rel }) => rel === 'sub')!);
    const deep = sub.entries[0]!;
    renameSync(join(root, swapped), join(root, 'aside'));
    symlinkSync(outside, join(root, swapped));
    expect((await sub.enter(deep)).entries).toEqual([]);
    expect(trouble.unreadable).toEqual(['sub/deep']);
  });
});

describe.each([
  ['by open handles', true],
  ['by names', false],
] as const)('folders are read %s', (_, handles) => {
  test.skipIf(handles && !handlesWork)('where they really lie, below a root that is there', () => {
    const root = tempFolder({ 'a/b/c.txt': '', 'd.txt': '' });
    mkdirSync(join(root, 'e'));
    symlinkSync('a', join(root, 'link'));
    const read = folderReader(root, handles);
    const names = (rel: string) => read(rel).entries.map(({ name }) => name);
    expect(names('.').sort()).toEqual(['a', 'd.txt', 'e', 'link']);
    expect(names('a/b')).toEqual(['c.txt']);
    expect(names('e')).toEqual([]);
    expect(() => names('link')).toThrow();
    expect(() => names('link/b')).toThrow('was moved or became a link while it was walked');
    expect(() => names('gone')).toThrow('ENOENT');
  });
});

test.runIf(handlesWork)('a walk leaves no handle open', async () => {
  const root = tempFolder({ 'a/b/c.txt': '' });
  const before = readdirSync('/proc/self/fd').length;
  const { folder } = await walkOf(root);
  await folder!.enter(folder!.entries[0]!);
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});
