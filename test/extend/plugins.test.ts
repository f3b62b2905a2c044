import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadPlugin } from '../../src/extend/plugin-file.ts';
import { loadPlugins } from '../../src/extend/plugins.ts';
import { createPolicy } from '../../src/gate/policy.ts';
import type { Row } from '../../src/gate/rule.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';
import { openApp } from './mcp-support.ts';

/** A tool as a plugin without our library would write it. */
const tool = (name: string) => `{
  name: '${name}', description: 'x', readOnly: true, input: { type: 'object', properties: {} },
  prepare: async () => ({ effects: [], subject: '${name}', plan: async () => ({ type: 'answer', text: 'ran ${name}' }) }),
}`;

async function load(
  files: Record<string, string>,
  names = ['mine'],
  project: Record<string, string> = {},
  trusted = true,
) {
  const notices: string[] = [];
  const root = tempFolder(project);
  const home = tempFolder(files);
  const plugins = await loadPlugins({ names, root, trusted, home, notice: (text) => void notices.push(text) });
  return { plugins, notices, root, home };
}

async function judged(
  plugins: { allows: readonly Row[]; refusals: readonly Row[] },
  name: string,
  args: unknown,
  rows: Row[] = [],
) {
  const app = await openApp(tempFolder());
  const policy = createPolicy({
    root: app.workspace.root.real,
    rows: [...plugins.allows, ...rows, ...plugins.refusals],
  });
  return { app, policy, name, args };
}

test('a plugin’s tools are asked, and those it marks are not', async () => {
  const { plugins } = await load({
    'plugins/mine.mjs': `export default { tools: [${tool('a')}, ${tool('b')}], autoApprove: ['b'] };`,
  });
  const app = await openApp(tempFolder());
  for (const one of plugins.tools) app.registry.add(one);
  expect(await app.gate.call({ id: '1', tool: 'a', args: {} })).toMatchObject({ ok: false, code: 'denied' });
  expect(await app.gate.call({ id: '2', tool: 'b', args: {} })).toMatchObject({ ok: true, text: 'ran b' });
  expect(plugins.allows).toMatchObject([{ tool: 'b', pattern: '*', decision: 'allow' }]);
});

test('a hook refuses a call with its reason, before the tool is asked anything; throwing refuses too', async () => {
  const { plugins } = await load({
    'plugins/mine.mjs': `export default { before: ({ tool, arguments: args }) => {
      if (args.path === 'boom') throw new Error('broken check');
      if (args.path === 'odd') return true;
      args.path = 'changed';
      return args.content === 'bad' ? 'no bad content' : undefined;
    } };`,
  });
  const root = tempFolder();
  const app = await openApp(root, { approve: 'edits' });
  const write = app.registry.get('write_file')!;
  app.registry.remove('write_file');
  app.registry.add(plugins.guard(write));
  const call = (args: unknown) => app.gate.call({ id: '1', tool: 'write_file', args });
  expect(await call({ path: 'x', content: 'bad' })).toEqual({
    ok: false,
    code: 'denied',
    text: 'write_file is refused by the plugin mine: no bad content. Nothing was done.',
  });
  expect(await call('{"path": "boom", "content": "y"}')).toMatchObject({
    text: 'write_file is refused by the plugin mine: its check failed (broken check). Nothing was done.',
  });
  expect(await call({ path: 'odd', content: 'y' })).toMatchObject({ ok: false, code: 'denied' });
  expect(await call({ path: 'x', content: 'good' })).toMatchObject({ ok: true, changes: [{ path: 'x' }] });
});

test('what a plugin says of a refusal can neither colour nor move anything', async () => {
  const { plugins } = await load({
    'plugins/mine.mjs': `export default { before: () => '\\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007text' };`,
  });
  const app = await openApp(tempFolder());
  app.registry.add(plugins.guard({ ...app.registry.get('read_file')!, name: 'read_again' }));
  expect(await app.gate.call({ id: '1', tool: 'read_again', args: { path: 'a' } })).toMatchObject({
    text: 'read_again is refused by the plugin mine: red text. Nothing was done.',
  });
});

test('a manifest refuses by patterns, above every allow row and every way of approving', async () => {
  const manifest = JSON.stringify({
    refuse: [{ tool: 'bash', pattern: 'npm publish*', reason: 'CI publishes' }],
    prompt: 'CI publishes.',
  });
  const { plugins, home } = await load({ 'plugins/mine.json': manifest });
  const { policy, app } = await judged(plugins, 'bash', {}, [{ tool: 'bash', pattern: '*', decision: 'allow' }]);
  const bash = app.registry.get('bash')!;
  const verdict = async (command: string) => {
    const context = {
      workspace: app.workspace,
      callId: '1',
      signal: new AbortController().signal,
      state: app.state,
      emit: () => {},
    };
    const { effects, subject } = await bash.prepare({ command }, context);
    return policy.withApprove('all').judge({ tool: 'bash', readOnly: false, subject, effects, arguments: { command } });
  };
  expect(await verdict('cd x && npm publish --tag y')).toMatchObject({ decision: 'deny', reason: 'CI publishes' });
  expect((await verdict('npm publish')).by).toContain(`${home}/plugins/mine.json`);
  expect(await verdict('npm test')).toMatchObject({ decision: 'allow' });
  expect(await plugins.prompt()).toEqual(['CI publishes.']);
});

test('hooks after a turn see it, and what fails there is told, not thrown', async () => {
  const { plugins, notices } = await load(
    {
      'plugins/mine.mjs': 'export default { afterTurn: (turn) => { globalThis.seenTurn = turn; } };',
      'plugins/other.mjs': `export default {
        afterTurn: () => { throw new Error('no disk'); }, prompt: () => { throw new Error('no words'); } };`,
    },
    ['other', 'mine'],
  );
  const turn = { exitCode: 0, text: 'done', changed: ['a.ts'] };
  await plugins.afterTurn(turn);
  expect((globalThis as { seenTurn?: unknown }).seenTurn).toEqual(turn);
  expect(await plugins.prompt()).toEqual([]);
  expect(notices).toEqual([
    'The plugin other failed after the turn: no disk',
    'The plugin other could not add to the prompt: no words',
  ]);
});

test('the guards are names of the policy; a later -name takes one away', async () => {
  const { plugins } = await load({ 'plugins/mine.mjs': 'throw new Error("loaded")' }, [
    'guard',
    'mine',
    '-secrets',
    '-mine',
  ]);
  expect(plugins).toMatchObject({ tools: [], allows: [], refusals: [] });
});

test.each([
  ['gard', 'unknown plugin "gard". Did you mean "guard"? Valid: guard, secrets, protect, mine.'],
  ['../plugins/mine', 'unknown plugin "../plugins/mine". Valid: guard, secrets, protect, mine.'],
])('the name %s is an error that lists the valid ones', async (name, message) => {
  const loading = load({ 'plugins/mine.mjs': 'export default {}' }, [name]);
  await expect(loading).rejects.toMatchObject({ code: 'invalid', message });
});

test('nothing of a project that is not trusted runs', async () => {
  const project = { '.benchdog/plugins/evil.mjs': 'globalThis.pwned = true; export default {};' };
  await expect(load({}, ['evil'], project, false)).rejects.toThrow(
    'unknown plugin "evil". Valid: guard, secrets, protect.',
  );
  expect((globalThis as { pwned?: boolean }).pwned).toBeUndefined();
  await load({}, ['evil'], project, true);
  expect((globalThis as { pwned?: boolean }).pwned).toBe(true);
});

test.each([
  ['mine.mjs', 'throw new Error("oh")', 'oh'],
  ['mine.mjs', 'export const x = 1', 'its default export is no object'],
  [
    'mine.mjs',
    'export default { befor() {} }',
    '"befor" is nothing a plugin may hold; that is: tools, autoApprove, before, afterTurn, prompt',
  ],
  ['mine.mjs', 'export default { before: 5 }', '"before" is no function'],
  ['mine.mjs', 'export default { tools: [{}] }', '"tools" is no list of tools; make them with defineTool'],
  ['mine.mjs', 'export default { autoApprove: ["bash"] }', '"autoApprove" names "bash", which is no tool of its own'],
  ['mine.json', '{', 'JSON'],
  ['mine.json', '{"refuse": [{"tool": "bash", "pattern": "x"}]}', 'reason'],
])('a plugin that can’t be used stops the start: %s %s', async (file, content, problem) => {
  const loading = load({ [`plugins/${file}`]: content });
  await expect(loading).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(problem) });
});

test('a call of a guarded tool that needs nothing else is untouched', async () => {
  const { plugins } = await load({ 'plugins/mine.mjs': `export default { tools: [${tool('a')}] };` });
  const [one] = plugins.tools;
  expect(plugins.guard(one!)).toBe(one);
  expect((await callTool(one!, {}, { root: tempFolder() })).text).toBe('ran a');
});

test('a module that never finishes loading ends the start, and says which it is', async () => {
  const file = join(tempFolder({ 'stuck.mjs': 'await new Promise(() => {});\n' }), 'stuck.mjs');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const loading = expect(loadPlugin('stuck', file)).rejects.toThrow(
    `The plugin ${file} can't be used: it took longer than 10 s`,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await loading;
});
