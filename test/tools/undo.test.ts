import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { createToolState } from '../../src/tool/state.ts';
import type { ToolContext } from '../../src/tool/tool.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

async function bench() {
  const folder = tempFolder({ a: '1' });
  const workspace = openWorkspace({ root: folder });
  const journal = await openJournal({ home: tempFolder(), root: workspace.root });
  const tool = undoTool(journal, 'mine');
  const context: ToolContext = {
    workspace,
    callId: 'call',
    signal: new AbortController().signal,
    state: createToolState(),
    emit: () => {},
  };
  const path = workspace.resolve('a');
  return {
    folder,
    journal,
    workspace,
    tool,
    prepare: (raw: unknown) => tool.prepare(raw, context),
    write: async (text: string, session: string) => {
      const before = await workspace.read(path);
      const origin = { callId: 'c', session, tool: 'edit_file' };
      const changes = [{ type: 'modify', path, before, after: fileState(Buffer.from(text)) }] as const;
      return (await commit(changes, { workspace, journal, origin }))!.entry;
    },
  };
}

describe('undo', () => {
  test('plans to put back the last change of this session', async () => {
    const b = await bench();
    const id = await b.write('2', 'mine');
    const call = await b.prepare({});
    expect(call.effects).toEqual([{ kind: 'write', path: b.workspace.resolve('a') }]);
    expect(call.subject).toBe(id);
    const plan = await call.plan();
    expect(plan).toMatchObject({
      type: 'change',
      done: `undid ${id} (edit_file): a`,
      reverts: { entries: [id], as: 'undo' },
      changes: [{ type: 'modify', after: { bytes: Buffer.from('1') } }],
    });
    expect(readFileSync(join(b.folder, 'a'), 'utf8')).toBe('2');
  });

  test('takes several steps, or one by id', async () => {
    const b = await bench();
    const ids = [await b.write('2', 'mine'), await b.write('3', 'mine')];
    expect(await (await b.prepare({ steps: 2 })).plan()).toMatchObject({
      done: `undid ${ids[1]} (edit_file): a\nundid ${ids[0]} (edit_file): a`,
      changes: [{ after: { bytes: Buffer.from('1') } }],
    });
    expect(await (await b.prepare({ id: ids[1] })).plan()).toMatchObject({
      changes: [{ after: { bytes: Buffer.from('2') } }],
    });
  });

  test('never touches another session’s changes', async () => {
    const b = await bench();
    const id = await b.write('2', 'theirs');
    await expect(b.prepare({})).rejects.toMatchObject({
      code: 'missing',
      message: 'There is nothing to undo in this session.',
    });
    await expect(b.prepare({ id })).rejects.toMatchObject({ code: 'missing' });
  });

  test('is strict in its arguments', async () => {
    const b = await bench();
    for (const raw of [
      { steps: 0 },
      { steps: 1.5 },
      { steps: '2' },
      { id: '' },
      { path: 'a' },
      { id: 'ab', steps: 1 },
    ]) {
      await expect(b.prepare(raw)).rejects.toMatchObject({ code: 'invalid' });
    }
  });

  test('is small on the wire', async () => {
    const { tool } = await bench();
    const { name, description, input } = tool;
    expect(JSON.stringify({ name, description, input }).length).toBeLessThan(400);
    expect([tool.set, tool.readOnly]).toEqual(['edit-plus', false]);
  });
});
