import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import * as library from '../../src/index.ts';
import { tempFolder } from '../support/folders.ts';

async function open(options: library.OpenGateOptions) {
  const root = tempFolder();
  const opened = await library.openGate({ root, home: tempFolder(), ...options });
  const call = (tool: string, args: unknown) => opened.gate.call({ id: `${tool}-1`, tool, args });
  return { ...opened, root, call };
}

test('the names a program may rely on', () => {
  const { openWorkspace, createGate, dialects, runTurn, defineTool } = library;
  expect([openWorkspace, createGate, runTurn, defineTool].map((value) => typeof value)).toEqual(
    Array(4).fill('function'),
  );
  expect(dialects.map(({ name }) => name)).toEqual(['native', 'udiff', 'shiro', 'rousseau']);
});

test.each(library.dialects.map(({ name }) => name))('the %s dialect opens by its name', async (dialect) => {
  const { gate, close } = await open({ dialect });
  expect(gate.definitions().length).toBeGreaterThan(4);
  await close();
});

test('a state folder that can not be written is named, and nothing is done', async () => {
  const home = tempFolder({ taken: '', audit: '' });
  const problem = (folder: string, what: string) =>
    `The state folder ${folder} can't be written: ${what}. Nothing is done without a journal and an audit log, so nothing was. ` +
    'Mend that, or name another folder in BENCHDOG_HOME.';
  const taken = join(home, 'taken');
  await expect(open({ home: taken })).rejects.toMatchObject({
    code: 'failed',
    message: problem(taken, 'a file stands where it needs a folder'),
  });
  const { call, close, root } = await open({ home, approve: 'edits' });
  expect(await call('write_file', { path: 'a.txt', content: 'x' })).toMatchObject({
    code: 'failed',
    text: problem(home, 'a file stands where it needs a folder'),
  });
  expect(readdirSync(root)).toEqual([]);
  await close();
});

test('an unknown dialect, tool set or limit is refused, saying which there are', async () => {
  await expect(open({ dialect: 'udif' })).rejects.toMatchObject({
    code: 'invalid',
    message: 'unknown dialect "udif". Did you mean "udiff"? Valid: native, udiff, shiro, rousseau.',
  });
  await expect(open({ toolSets: ['edits'] })).rejects.toMatchObject({ code: 'invalid' });
  await expect(open({ limits: { commandMs: 5 } })).rejects.toMatchObject({
    code: 'invalid',
    message: 'The native dialect has no limits to set (commandMs).',
  });
});

test('rousseau takes a time limit for commands and caps for grep', async () => {
  const limits = { commandMs: 300, grepMatches: 2, grepFileBytes: 10 };
  const { root, call, gate, close } = await open({ dialect: 'rousseau', limits, approve: 'all' });
  writeFileSync(join(root, 'a.txt'), 'x\nx\nx\n');
  writeFileSync(join(root, 'b.txt'), 'x\n'.repeat(6));
  expect(await call('grep', { pattern: 'x', path: root })).toEqual({
    ok: true,
    changes: [],
    text: `${root}/a.txt:1: x\n${root}/a.txt:2: x\n... (truncated at 2 matches; narrow pattern, path or include)`,
  });
  expect(await call('grep', { pattern: 'x', path: root, include: 'b.*' })).toMatchObject({ text: 'no matches' });
  expect(await call('bash', { command: 'sleep 9' })).toMatchObject({
    ok: false,
    code: 'timeout',
    text: expect.stringMatching(/^bash: timed out after 300ms/),
  });
  expect(gate.definitions().find(({ name }) => name === 'bash')!.description).toContain('after 300ms');
  await close();
});

test('rules, read-only and tool sets hold', async () => {
  const ruled = await open({ permission: { write_file: { '*': 'deny', 'ok/*': 'allow' } }, toolSets: [] });
  expect(ruled.gate.definitions().some(({ set }) => set === 'git')).toBe(false);
  expect(await ruled.call('write_file', { path: 'ok/a', content: '' })).toMatchObject({ ok: true });
  expect(await ruled.call('write_file', { path: 'a', content: '' })).toMatchObject({ code: 'denied' });
  await ruled.close();
  const reading = await open({ readOnly: true });
  expect(reading.gate.definitions().every(({ readOnly }) => readOnly)).toBe(true);
  await reading.close();
});

test('no configuration file of the user or the project is read', async () => {
  const root = tempFolder({ '.benchdog/config.json': '{ broken' });
  const { gate, close } = await library.openGate({ root, home: tempFolder() });
  expect(gate.definitions().length).toBeGreaterThan(10);
  await close();
});

test('what is committed can be put back', async () => {
  const { root, call, close } = await open({ approve: 'edits' });
  writeFileSync(join(root, 'a.txt'), 'one\n');
  await call('edit_file', { path: 'a.txt', oldString: 'one', newString: 'two' });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
  expect(await call('undo', {})).toMatchObject({ ok: true });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  await close();
});

test('tools come and go while calls run; a call keeps the tool it began with', async () => {
  let letGo = () => {};
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const tool = (name: string, before: Promise<void> = Promise.resolve()) =>
    library.defineTool({
      name,
      description: name,
      readOnly: true,
      input: z.strictObject({}),
      prepare: () => ({
        effects: [],
        subject: name,
        plan: async () => {
          await before;
          return { type: 'answer', text: `${name} answered` };
        },
      }),
    });
  const { registry, gate, call, close } = await open({ tools: [tool('slow', waiting)], permission: { slow: 'allow' } });
  const running = call('slow', {});
  const before = gate.definitions();
  registry.remove('slow');
  registry.add(tool('late'));
  letGo();
  expect(await running).toEqual({ ok: true, text: 'slow answered', changes: [] });
  expect(before.some(({ name }) => name === 'late')).toBe(false);
  expect(await call('late', {})).toMatchObject({ ok: true });
  expect(await call('slow', {})).toMatchObject({ code: 'invalid' });
  await close();
});
