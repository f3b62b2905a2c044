import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ToolError } from '../../src/base/error.ts';
import type { ChangeSet } from '../../src/change/change.ts';
import { defineTool, type Tool } from '../../src/tool/tool.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openTestGate } from '../support/gate.ts';

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' };
const yolo = { approve: 'all' };

test.each([
  ['an unknown field', { path: 'a.txt', line: 1 }, 'line'],
  ['a missing field', {}, 'path'],
  ['null', { path: null }, 'path'],
  ['a wrong type', { path: 7 }, 'path'],
  ['a wrong type of an optional field', { path: 'a.txt', offset: '1' }, 'offset'],
  ['no object', [], 'read_file'],
  ['cut-off JSON', '{"path":"a.t', 'read_file'],
  ['trailing text', '{"path":"a.txt"} please', 'read_file'],
  ['a text', '"a.txt"', 'read_file'],
])('%s is invalid, and what is wrong is named with the right shape', async (_, args, named) => {
  const gate = await openTestGate({ files });
  const result = await gate.call('read_file', args);
  expect(result).toMatchObject({ ok: false, code: 'invalid' });
  expect(result.text).toContain(named);
  expect(result.text).toContain('"path"');
});

test('wrong arguments of a change leave everything as it is, and nobody is asked', async () => {
  const gate = await openTestGate({ files, answer: () => ({ type: 'once' }) });
  const result = await gate.call('write_file', { path: 'a.txt', content: 'x', mode: 7 });
  expect(result).toMatchObject({ ok: false, code: 'invalid' });
  expect([gate.asked, gate.read('a.txt')]).toEqual([[], files['a.txt']]);
});

test('an unknown tool is an error that lists the tools', async () => {
  const gate = await openTestGate({ flags: { dialect: 'rousseau' } });
  expect(await gate.call('raed', {})).toEqual({
    ok: false,
    code: 'invalid',
    text: 'There is no tool named "raed". The tools are: read, write, edit, grep, bash.',
  });
});

const throwing = (name: string, thrown: unknown, where: 'prepare' | 'plan' | 'run'): Tool =>
  defineTool({
    name,
    description: 'Throws.',
    readOnly: true,
    input: z.strictObject({}),
    prepare: () => {
      if (where === 'prepare') throw thrown;
      return {
        effects: [],
        subject: name,
        plan: async () => {
          if (where === 'plan') throw thrown;
          return {
            type: 'action',
            preview: '',
            run: async () => {
              throw thrown;
            },
          };
        },
      };
    },
  });

test.each(['prepare', 'plan', 'run'] as const)('whatever a tool throws in %s never leaves the gate', async (where) => {
  const things: [unknown, string, string][] = [
    [new Error('broken'), 'failed', 'broken'],
    [new ToolError('timeout', 'too late'), 'timeout', 'too late'],
    ['a text', 'failed', 'a text'],
    [undefined, 'failed', 'undefined'],
    [null, 'failed', 'null'],
    [Object.create(null), 'failed', 'something without a message was thrown'],
    [new DOMException('stop', 'AbortError'), 'interrupted', 'The call was cancelled.'],
  ];
  for (const [at, [thrown, code, text]] of things.entries()) {
    const gate = await openTestGate({ flags: yolo, tools: [throwing(`bad-${at}`, thrown, where)] });
    const result = await gate.call(`bad-${at}`, {});
    expect(result).toMatchObject({ ok: false, code });
    expect(result.text).toContain(text);
  }
});

test('a call that is cancelled before it begins does nothing', async () => {
  const gate = await openTestGate({ files, flags: yolo });
  const result = await gate.call('write_file', { path: 'n', content: 'x' }, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ ok: false, code: 'interrupted' });
  expect(existsSync(join(gate.root, 'n'))).toBe(false);
});

test('of two calls on one file at once both land', async () => {
  const gate = await openTestGate({ files, flags: yolo });
  const results = await Promise.all([
    gate.call('edit_file', { path: 'a.txt', oldString: 'one', newString: 'ONE' }),
    gate.call('edit_file', { path: './a.txt', oldString: 'two', newString: 'TWO' }),
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(gate.read('a.txt')).toBe('ONE\nTWO\n');
});

test('of many calls on one file at once each sees the one before', async () => {
  const gate = await openTestGate({ files: { 'n.txt': '0\n' }, flags: yolo });
  const bumps = Array.from({ length: 12 }, (_, at) =>
    gate.call('edit_file', { path: 'n.txt', oldString: `${at}\n`, newString: `${at + 1}\n` }),
  );
  expect((await Promise.all(bumps)).every(({ ok }) => ok)).toBe(true);
  expect(gate.read('n.txt')).toBe('12\n');
});

test('a whole-file write or a delete of a file that changed since it was read is stale', async () => {
  for (const [tool, args] of [
    ['write_file', { path: 'a.txt', content: 'mine\n' }],
    ['delete_file', { path: 'a.txt' }],
  ] as const) {
    const gate = await openTestGate({ files, flags: yolo });
    await gate.call('read_file', { path: 'a.txt' });
    writeFileSync(join(gate.root, 'a.txt'), 'one\ntwo\nsomebody else\n');
    expect(await gate.call(tool, args)).toEqual({
      ok: false,
      code: 'stale',
      text: 'a.txt changed since you read it. Nothing was written. Read it again, then decide what to write.',
    });
    expect(gate.read('a.txt')).toBe('one\ntwo\nsomebody else\n');
    await gate.call('read_file', { path: 'a.txt' });
    expect((await gate.call(tool, args)).ok).toBe(true);
  }
});

test('exact edits of a file that changed, and writes over one never read, are not refused', async () => {
  const gate = await openTestGate({ files, flags: yolo });
  await gate.call('read_file', { path: 'a.txt' });
  writeFileSync(join(gate.root, 'a.txt'), 'one\ntwo\nmore\n');
  expect((await gate.call('edit_file', { path: 'a.txt', oldString: 'one', newString: 'ONE' })).ok).toBe(true);
  expect((await gate.call('write_file', { path: 'b.txt', content: 'new\n' })).ok).toBe(true);
});

test('what the session wrote itself it knows', async () => {
  const gate = await openTestGate({ files, flags: yolo });
  await gate.call('read_file', { path: 'a.txt' });
  expect((await gate.call('write_file', { path: 'a.txt', content: 'x\n' })).ok).toBe(true);
  expect((await gate.call('write_file', { path: 'a.txt', content: 'y\n' })).ok).toBe(true);
});

const read = ['read_file', { path: 'a.txt' }] as const;

test('repeat guard: the third identical call is refused where nobody is, under --approve all too', async () => {
  const gate = await openTestGate({ files, flags: yolo, repeatGuard: true });
  expect((await gate.call(...read)).ok).toBe(true);
  expect((await gate.call('read_file', ' { "path" : "a.txt" } ')).ok).toBe(true);
  expect(await gate.call(...read)).toEqual({
    ok: false,
    code: 'denied',
    text: 'This is the third identical call of read_file with nothing changed in between, so the answer would be the same. Nothing was done. Use the answer you have, or do something else.',
  });
});

test('repeat guard: a person is asked, and after a word of theirs it counts afresh', async () => {
  const gate = await openTestGate({ files, repeatGuard: true, answer: () => ({ type: 'once' }) });
  for (let at = 0; at < 5; at += 1) expect((await gate.call(...read)).ok).toBe(true);
  expect(gate.asked.map(({ repeated }) => repeated)).toEqual([true]);
});

test('repeat guard: a committed change, another command and a new turn count afresh; the same command does not', async () => {
  const gate = await openTestGate({ files, flags: yolo, repeatGuard: true });
  const ok = async (...call: Parameters<typeof gate.call>) => (await gate.call(...call)).ok;
  const twice = async (...call: Parameters<typeof gate.call>) => [await ok(...call), await ok(...call)];
  expect(await twice(...read)).toEqual([true, true]);
  expect(await ok('write_file', { path: 'n.txt', content: 'x' })).toBe(true);
  expect(await twice(...read)).toEqual([true, true]);
  expect(await ok('bash', { command: 'true' })).toBe(true);
  expect(await twice(...read)).toEqual([true, true]);
  gate.app.gate.personSpoke();
  expect(await twice(...read)).toEqual([true, true]);
  expect(await twice('bash', { command: 'echo x' })).toEqual([true, true]);
  expect(await ok('bash', { command: 'echo x' })).toBe(false);
});

test('repeat guard: a write that changes nothing is no change', async () => {
  const gate = await openTestGate({ files, flags: yolo, repeatGuard: true });
  const idle = ['write_file', { path: 'b.txt', content: 'b\n' }] as const;
  expect((await gate.call(...idle)).ok).toBe(true);
  expect((await gate.call(...idle)).ok).toBe(true);
  expect(await gate.call(...idle)).toMatchObject({ ok: false, code: 'denied' });
});

test('outside a turn nobody counts', async () => {
  const gate = await openTestGate({ files });
  for (let at = 0; at < 5; at += 1) expect((await gate.call(...read)).ok).toBe(true);
});

test('the registry may be extended while calls run; a call keeps its tool', async () => {
  let go = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    readOnly: true,
    input: z.strictObject({}),
    prepare: () => ({
      effects: [],
      subject: 'slow',
      plan: async () => {
        await waiting;
        return { type: 'answer', text: 'done' };
      },
    }),
  });
  const gate = await openTestGate({ flags: yolo, tools: [slow] });
  const before = gate.app.gate.definitions();
  const running = gate.call('slow', {});
  gate.app.registry.add({ ...slow, name: 'later' });
  gate.app.registry.remove('slow');
  go();
  expect(await running).toEqual({ ok: true, text: 'done', changes: [] });
  expect((await gate.call('later', {})).ok).toBe(true);
  expect(await gate.call('slow', {})).toMatchObject({ ok: false, code: 'invalid' });
  expect(before.some(({ name }) => name === 'later')).toBe(false);
});

/** A command whose effect on files comes back as changes. */
const proposing = (name: string): Tool =>
  defineTool({
    name,
    description: 'Proposes a file.',
    input: z.strictObject({ path: z.string() }),
    prepare: ({ path }, { workspace }) => ({
      effects: [],
      subject: path,
      plan: async () => ({
        type: 'action',
        preview: 'make a file',
        run: async () => {
          const after = fileState(Buffer.from('made\n'));
          const pending: ChangeSet = [{ type: 'create', path: workspace.resolve(path), after }];
          return { text: 'ran', pending: { changes: pending } };
        },
      }),
    }),
  });

test('what an action proposes is judged, shown and committed like any change', async () => {
  const gate = await openTestGate({ tools: [proposing('make')], answer: () => ({ type: 'once' }) });
  const result = await gate.call('make', { path: 'n.txt' });
  expect(result).toMatchObject({ ok: true, text: 'ran', changes: [{ type: 'create', path: 'n.txt' }] });
  expect(gate.asked.map(({ subject }) => subject)).toEqual(['the changes of make']);
  expect(gate.asked[0]!.preview).toContain('+made');
  expect(gate.read('n.txt')).toBe('made\n');
});

test('what an action proposes may be declined, and git’s own data is denied', async () => {
  const no = await openTestGate({
    tools: [proposing('make')],
    answer: () => ({ type: 'no' }),
  });
  expect(await no.call('make', { path: 'n.txt' })).toMatchObject({ ok: false, code: 'denied' });
  expect(existsSync(join(no.root, 'n.txt'))).toBe(false);
  const gate = await openTestGate({ tools: [proposing('make')], flags: yolo });
  mkdirSync(join(gate.root, '.git'));
  expect(await gate.call('make', { path: '.git/config' })).toMatchObject({ ok: false, code: 'denied' });
  expect(existsSync(join(gate.root, '.git', 'config'))).toBe(false);
});

const spellings = [
  '.git/config',
  './.git/hooks/x',
  '.GIT/config',
  '.Git/x',
  'sub/../.git/x',
  'sub/.git/config',
  '.git',
];
const patchOf = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
const mutations: [dialect: string, tool: string, args: (path: string, root: string) => object][] = [
  ['native', 'write_file', (path) => ({ path, content: 'x' })],
  ['native', 'edit_file', (path) => ({ path, oldString: 'core', newString: 'x' })],
  ['native', 'multi_edit', (path) => ({ path, edits: [{ oldString: 'core', newString: 'x' }] })],
  ['native', 'apply_patch', (path) => ({ patch: patchOf(path) })],
  ['native', 'delete_file', (path) => ({ path })],
  ['native', 'move_file', (path) => ({ from: 'a.txt', to: path })],
  ['native', 'move_file', (path) => ({ from: path, to: 'x.txt' })],
  ['udiff', 'write_file', (path) => ({ path, content: 'x' })],
  ['udiff', 'write_file', (path) => ({ path: `/${path}`, content: 'x' })],
  ['udiff', 'edit_file', (path) => ({ patch: patchOf(path) })],
  ['udiff', 'delete_file', (path) => ({ path })],
  ['shiro', 'write_file', (path) => ({ path, content: 'x' })],
  ['shiro', 'edit_file', (path) => ({ path, oldString: 'core', newString: 'x' })],
  ['rousseau', 'write', (path, root) => ({ path: join(root, path), content: 'x' })],
  ['rousseau', 'edit', (path, root) => ({ path: join(root, path), old_string: 'core', new_string: 'x' })],
];
const caseFolds = process.platform === 'darwin' || process.platform === 'win32';

test.each(mutations)('%s %s never writes .git, however it is spelled', async (dialect, tool, args) => {
  const config = '[core]\n';
  for (const path of spellings) {
    const gate = await openTestGate({
      files: { 'a.txt': 'a\n', '.git/config': config, 'sub/.git/config': config },
      flags: { ...yolo, dialect },
    });
    const result = await gate.call(tool, args(path, gate.root));
    expect([path, result.ok]).toEqual([path, false]);
    expect([gate.read('.git/config'), gate.read('sub/.git/config')]).toEqual([config, config]);
    expect(existsSync(join(gate.root, 'a.txt'))).toBe(true);
    if (!caseFolds) expect(existsSync(join(gate.root, '.GIT'))).toBe(false);
  }
});
