import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/change/change.ts';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

async function bench(files: Record<string, string> = {}) {
  const folder = tempFolder(files);
  const workspace = openWorkspace({ root: folder });
  const journal = await openJournal({ home: tempFolder(), root: workspace.root });
  const origin = { callId: 'c1', session: 's1', tool: 'edit_file' };
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const modify = async (name: string, text: string): Promise<Change> => {
    const path = workspace.resolve(name);
    const before = await workspace.read(path);
    return { type: 'modify', path, before, after: fileState(Buffer.from(text), before.mode) };
  };
  return { folder, workspace, journal, origin, read, modify };
}

describe('commit', () => {
  test('creates, modifies, renames and deletes in one set', async () => {
    const { folder, workspace, journal, origin, read, modify } = await bench({ a: 'a1', b: 'b1', c: 'c1' });
    const b = workspace.resolve('b');
    const before = await workspace.read(b);
    const changes: Change[] = [
      await modify('a', 'a2'),
      { type: 'rename', path: b, to: workspace.resolve('sub/b2'), before, after: before },
      { type: 'delete', path: workspace.resolve('c'), before: await workspace.read(workspace.resolve('c')) },
      { type: 'create', path: workspace.resolve('x/y/z'), after: fileState(Buffer.from('z1')) },
    ];
    await commit(changes, { workspace, journal, origin });
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['a', 'sub', 'sub/b2', 'x', 'x/y', 'x/y/z']);
    expect([read('a'), read('sub/b2'), read('x/y/z')]).toEqual(['a2', 'b1', 'z1']);
    expect(lstatSync(join(folder, 'x/y/z')).mode & 0o777).toBe(0o644);
    expect(journal.byCall('c1').map((entry) => entry.changes.map(({ type, path, to }) => [type, path, to]))).toEqual([
      [
        ['modify', 'a', undefined],
        ['rename', 'b', 'sub/b2'],
        ['delete', 'c', undefined],
        ['create', 'x/y/z', undefined],
      ],
    ]);
  });

  test('two commits of one file at once: one lands, one is told that it is stale', async () => {
    const { workspace, journal, origin, read, modify } = await bench({ a: 'a1' });
    const one = await modify('a', 'one');
    const two = await modify('a', 'two');
    const results = await Promise.allSettled([
      commit([one], { workspace, journal, origin }),
      commit([two], { workspace, journal, origin }),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({
      code: 'stale',
      message:
        'a changed since it was read: it has 3 bytes now, it had 2. Nothing was changed. Read it again and send a change made for what it is now.',
    });
    expect(read('a')).toBe('one');
  });
});
