import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change, ChangeSet } from '../../src/change/change.ts';
import { commit } from '../../src/change/commit.ts';
import { history, type Which } from '../../src/change/history.ts';
import { planRedo, planUndo, type UndoPlan } from '../../src/change/plan-undo.ts';
import { openJournal } from '../../src/change/recover.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';
import { everyKindOfChange, picture, setScene } from './support/scene.ts';

async function bench(files: Record<string, string> = {}) {
  const folder = tempFolder(files);
  const workspace = openWorkspace({ root: folder });
  const journal = await openJournal({ home: tempFolder(), root: workspace.root });
  const at = (name: string) => workspace.resolve(name);
  let calls = 0;
  const run = async (changes: ChangeSet, session = 's1', reverts?: UndoPlan['reverts']) => {
    calls += 1;
    const origin = { callId: `c${calls}`, session, tool: 'write_file', ...(reverts ? { reverts } : {}) };
    return (await commit(changes, { workspace, journal, origin }))!.entry;
  };
  return {
    folder,
    workspace,
    journal,
    run,
    write: async (name: string, text: string, session?: string) => {
      const after = fileState(Buffer.from(text));
      const there = workspace.stat(at(name)) !== undefined;
      const before = there ? await workspace.read(at(name)) : undefined;
      const change: Change = before
        ? { type: 'modify', path: at(name), before, after: { ...after, mode: before.mode } }
        : { type: 'create', path: at(name), after };
      return run([change], session);
    },
    undo: async (which?: Which) => {
      const plan = await planUndo(journal, workspace, which);
      return run(plan.changes, 's1', plan.reverts);
    },
    redo: async (which?: Which) => {
      const plan = await planRedo(journal, workspace, which);
      return run(plan.changes, 's1', plan.reverts);
    },
    files: () =>
      Object.fromEntries(
        (readdirSync(folder, { recursive: true }) as string[])
          .sort()
          .filter((name) => lstatSync(join(folder, name)).isFile())
          .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      ),
    path: (name: string) => join(folder, name),
  };
}

describe('undo and redo', () => {
  test('of every kind of change give back exactly what was there', async () => {
    const b = await bench();
    setScene(b.folder);
    const old = picture(b.folder);
    await b.run(await everyKindOfChange(b.workspace));
    const next = picture(b.folder);
    await b.undo();
    expect(picture(b.folder)).toEqual(old);
    await b.redo();
    expect(picture(b.folder)).toEqual(next);
    await b.undo();
    expect(picture(b.folder)).toEqual(old);
  });

  test('go through the history step by step', async () => {
    const b = await bench();
    const ids = [await b.write('a', '1'), await b.write('a', '2'), await b.write('b', '3')];
    expect(history(b.journal).map((item) => [item.entry.id, item.state])).toEqual(
      [...ids].reverse().map((id) => [id, 'done']),
    );
    await b.undo();
    expect(b.files()).toEqual({ a: '2' });
    await b.undo();
    expect(b.files()).toEqual({ a: '1' });
    await b.undo();
    expect(b.files()).toEqual({});
    await expect(b.undo()).rejects.toMatchObject({ code: 'missing', message: 'There is nothing to undo.' });
    await expect(b.undo({ steps: 0 })).rejects.toMatchObject({ code: 'invalid', message: '0 is no number of steps.' });
    await b.redo();
    expect(b.files()).toEqual({ a: '1' });
    await b.redo({ steps: 2 });
    expect(b.files()).toEqual({ a: '2', b: '3' });
    await expect(b.redo()).rejects.toMatchObject({ code: 'missing', message: 'There is nothing to redo.' });
  });

  test('of several steps are one change for each file', async () => {
    const b = await bench({ a: '0' });
    await b.write('a', '1');
    await b.write('a', '2');
    await b.write('gone', 'x');
    await b.run([{ type: 'delete', path: b.workspace.resolve('gone'), before: fileState(Buffer.from('x')) }]);
    const plan = await planUndo(b.journal, b.workspace, { steps: 4 });
    expect(plan.changes.map(({ type, path }) => [type, path.rel])).toEqual([['modify', 'a']]);
    await b.run(plan.changes, 's1', plan.reverts);
    expect(b.files()).toEqual({ a: '0' });
    expect(history(b.journal).map((item) => item.state)).toEqual(['revert', 'undone', 'undone', 'undone', 'undone']);
    await expect(b.undo({ steps: 2 })).rejects.toMatchObject({ message: 'There is nothing to undo.' });
    await b.write('z', '');
    await expect(b.undo({ steps: 2 })).rejects.toMatchObject({
      message: 'There is only 1 change to undo, not 2. Nothing was changed.',
    });
  });

  test('by id or the beginning of one; an undo can be undone, and that again', async () => {
    const b = await bench();
    const first = await b.write('a', '1');
    await b.write('b', '1');
    const undone = await b.undo({ id: first });
    expect(b.files()).toEqual({ b: '1' });
    await expect(b.undo({ id: first })).rejects.toMatchObject({
      code: 'conflict',
      message: `${first} is undone already. Nothing was changed.`,
    });
    const redone = await b.undo({ id: undone });
    expect(b.files()).toEqual({ a: '1', b: '1' });
    await b.undo({ id: redone });
    expect(b.files()).toEqual({ b: '1' });
    await expect(b.undo({ id: redone })).rejects.toMatchObject({ code: 'conflict' });
    await b.redo({ id: first.slice(0, 9) });
    expect(b.files()).toEqual({ a: '1', b: '1' });
    await expect(b.redo({ id: first })).rejects.toMatchObject({
      message: `${first} is not undone, so there is nothing to do again.`,
    });
    await expect(b.undo({ id: 'xyz' })).rejects.toMatchObject({
      code: 'missing',
      message: 'No change in the journal has an id that begins with "xyz".',
    });
  });

  test('keep to a session where one is named', async () => {
    const b = await bench();
    await b.write('a', '1', 'mine');
    const theirs = await b.write('b', '1', 'theirs');
    await b.undo({ session: 'mine' });
    expect(b.files()).toEqual({ b: '1' });
    await expect(b.undo({ session: 'mine' })).rejects.toMatchObject({
      message: 'There is nothing to undo in this session.',
    });
    await expect(b.undo({ session: 'mine', id: theirs })).rejects.toMatchObject({
      message: `No change in the changes of this session has an id that begins with "${theirs}".`,
    });
  });

  test('do not overwrite a newer edit, and say what differs', async () => {
    const b = await bench({ a: '1', b: '1' });
    const id = await b.write('a', '22');
    writeFileSync(b.path('a'), '333');
    await expect(b.undo()).rejects.toMatchObject({
      code: 'stale',
      message: `a is not as change ${id} (write_file) left it: it has 3 bytes, it had 2. Somebody changed it since. Nothing was changed. Compare and put it back by hand.`,
    });
    writeFileSync(b.path('a'), '33');
    await expect(b.undo()).rejects.toThrow('its bytes differ (2 bytes, as before)');
    rmSync(b.path('a'));
    await expect(b.undo()).rejects.toThrow('it is gone, 2 bytes were left there');
    symlinkSync('b', b.path('a'));
    await expect(b.undo()).rejects.toThrow('it is a link now');
  });

  test('of an older change name the newer one that stands in the way', async () => {
    const b = await bench({ a: '1' });
    const one = await b.write('a', '22');
    const two = await b.write('a', '333');
    await expect(b.undo({ id: one })).rejects.toMatchObject({
      code: 'stale',
      message: `a is not as change ${one} (write_file) left it: it has 3 bytes, it had 2. Change ${two} (write_file) changed it since. Nothing was changed. Undo ${two} first.`,
    });
  });

  test('of a change of several files are all or nothing', async () => {
    const b = await bench({ a: '1', b: '1' });
    const modify = async (name: string): Promise<Change> => {
      const path = b.workspace.resolve(name);
      return { type: 'modify', path, before: await b.workspace.read(path), after: fileState(Buffer.from('2')) };
    };
    await b.run([await modify('a'), await modify('b')]);
    writeFileSync(b.path('a'), 'theirs');
    await expect(b.undo()).rejects.toMatchObject({ code: 'stale' });
    expect(b.files()).toEqual({ a: 'theirs', b: '2' });
  });

  test('leave a mode alone that was changed since', async () => {
    const b = await bench({ a: '1' });
    await b.write('a', '2');
    chmodSync(b.path('a'), 0o755);
    await b.undo();
    expect([b.files().a, lstatSync(b.path('a')).mode & 0o777]).toEqual(['1', 0o755]);
  });

  test('remove the folders that a commit made, as far as they are empty', async () => {
    const b = await bench();
    await b.write('x/y/a', '1');
    await b.undo();
    expect(readdirSync(b.folder)).toEqual([]);
    await b.redo();
    writeFileSync(b.path('x/mine'), '');
    await b.undo();
    expect(b.files()).toEqual({ 'x/mine': '' });
  });

  test('say when a content is no longer kept', async () => {
    const b = await bench({ a: '12345' });
    const workspace = b.workspace;
    const journal = await openJournal({ home: tempFolder(), root: workspace.root, maxBytes: 10 });
    const origin = { callId: 'c', session: 's', tool: 't' };
    const path = workspace.resolve('a');
    for (const text of ['abcdefgh', 'ABCDEFGH', '12345678']) {
      const before = await workspace.read(path);
      await commit([{ type: 'modify', path, before, after: fileState(Buffer.from(text)) }], {
        workspace,
        journal,
        origin,
      });
    }
    expect(journal.entries().length).toBe(1);
    const { changes } = await planUndo(journal, workspace);
    expect(changes[0]).toMatchObject({ type: 'modify', after: { bytes: Buffer.from('ABCDEFGH') } });
    rmSync(join(journal.folder, 'blobs'), { recursive: true });
    await expect(planUndo(journal, workspace)).rejects.toMatchObject({
      code: 'missing',
      message: 'The content of a (8 bytes) is no longer kept. Nothing was changed.',
    });
  });
});
