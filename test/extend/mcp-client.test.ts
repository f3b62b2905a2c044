import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectMcpServers, type McpClientOptions } from '../../src/extend/mcp-client.ts';
import { serveMcpHttp } from '../../src/extend/mcp-http.ts';
import { mcpServerFactory } from '../../src/extend/mcp-server.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { cases } from '../cases/case.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';
import { openApp } from './mcp-support.ts';

const script = resolve(import.meta.dirname, 'fake-server.mjs');

/** How the configuration names a variable of the environment. */
const variable = (name: string) => `\${${name}}`;

function fake(settings: Record<string, unknown> = {}) {
  return { command: process.execPath, args: [script], env: { FAKE: JSON.stringify(settings) } };
}

function servers(list: McpClientOptions['servers'], more: Partial<McpClientOptions> = {}) {
  const notices: string[] = [];
  const root = tempFolder();
  const connected = connectMcpServers({
    servers: list,
    root,
    env: process.env,
    version: '1.2.3',
    notice: (text) => void notices.push(text),
    waitMs: 25_000,
    ...more,
  });
  onTestFinished(() => connected.close());
  return { connected, notices, root };
}

async function toolOf(settings: Record<string, unknown> = {}, more: Partial<McpClientOptions> = {}) {
  const { connected, notices, root } = servers({ fake: fake(settings) }, more);
  const [tool] = await connected.tools();
  return { tool: tool!, call: (args: unknown) => callTool(tool!, args, { root }), connected, notices, root };
}

test('tools are offered under legal names, and calls go out under their own', async () => {
  const log = join(tempFolder(), 'log');
  const input = {
    type: 'object',
    properties: { x: { type: 'number' } },
    $schema: 'http://json-schema.org/draft-07/schema#',
  };
  const tools = [
    { name: 'agenda.read', description: 'Reads.', inputSchema: input, annotations: { readOnlyHint: true } },
  ];
  const { tool, call } = await toolOf({ tools, log });
  expect({ ...tool, prepare: undefined }).toEqual({
    name: 'mcp__fake__agenda_read',
    description: 'Reads.',
    input: { type: 'object', properties: { x: { type: 'number' } } },
    readOnly: false,
    prepare: undefined,
  });
  expect((await call('{"x": 1}')).text).toBe('agenda.read: {"x":1}');
  expect(readFileSync(log, 'utf8')).toContain('call agenda.read {"x":1}\n');
});

test('B112: names are legal, different and the same on each start', async () => {
  const { setup } = cases.find(({ id }) => id === 'B112')!;
  const { tools } = JSON.parse(setup[0]!.content!) as { tools: unknown[] };
  const start = async (order: unknown[]) => {
    const { connected, root } = servers({ 'Google Sheets!': fake({ tools: order }) });
    const offered = await connected.tools();
    return { offered, root };
  };
  const { offered, root } = await start(tools);
  const names = offered.map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(new Set(names).size).toBe(tools.length);
  expect(names.slice(1, 3)).toEqual(['mcp__Google_Sheets__agenda_read', 'mcp__Google_Sheets__My_Helper']);
  const again = await start([...tools].reverse());
  expect(again.offered.map(({ name }) => name).reverse()).toEqual(names);
  expect((await callTool(offered[0]!, {}, { root })).text).toBe('agenda.read: {}');
});

test('B113: a banner is told of once and skipped, and the tools work', async () => {
  const { call, notices } = await toolOf({ banner: 'My MCP server v1.0\n\n', chatty: true });
  expect((await call({})).text).toBe('echo: {}');
  expect(notices).toEqual([
    'MCP server "fake" printed something that is no message, which was skipped: "My MCP server v1.0".',
  ]);
});

test('a call names its server, its tool and its arguments to whoever is asked', async () => {
  const { tool, root } = await toolOf();
  const { openWorkspace } = await import('../../src/workspace/workspace.ts');
  const { createToolState } = await import('../../src/tool/state.ts');
  const call = await tool.prepare(
    { to: 'x' },
    {
      workspace: openWorkspace({ root }),
      callId: '1',
      signal: new AbortController().signal,
      state: createToolState(),
      emit: () => {},
    },
  );
  expect(call.effects).toEqual([{ kind: 'execute', tool: 'mcp__fake__echo', arguments: { to: 'x' } }]);
  expect(call.subject).toBe('{"to":"x"}');
  expect(await call.plan()).toMatchObject({ type: 'action', preview: 'echo of MCP server "fake"\n{\n  "to": "x"\n}' });
});

test('it is asked by default, and --approve all lets it pass', async () => {
  const { connected } = servers({ fake: fake() });
  const tools = await connected.tools();
  const outcome = async (approve: string) => {
    const app = await openApp(tempFolder(), { approve });
    for (const tool of tools) app.registry.add(tool);
    return app.gate.call({ id: '1', tool: 'mcp__fake__echo', args: {} });
  };
  expect(await outcome('edits')).toMatchObject({ ok: false, code: 'denied' });
  expect(await outcome('all')).toMatchObject({ ok: true, text: 'echo: {}' });
});

test('no program is started before the tools are wanted, and none is left afterwards', async () => {
  const log = join(tempFolder(), 'log');
  const { connected } = servers({ fake: fake({ log, child: true }) });
  expect(existsSync(log)).toBe(false);
  await connected.tools();
  await connected.tools();
  const pids = [...readFileSync(log, 'utf8').matchAll(/(?:start|child) (\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids.map(isAlive)).toEqual([true, true]);
  await connected.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test('our own keys are not in its environment; what is configured is', async () => {
  const env = { ...process.env, OPENAI_API_KEY: 'sk-1', BENCHDOG_API_KEY: 'k', BENCHDOG_MCP_TOKEN: 't', MINE: 'mine' };
  const { call } = await toolOf(
    {},
    {
      env,
      servers: { fake: { ...fake(), env: { GIVEN: `a ${variable('MINE')} ${variable('NONE:-none')}` } } },
    },
  );
  const asked = ['OPENAI_API_KEY', 'BENCHDOG_API_KEY', 'BENCHDOG_MCP_TOKEN', 'GIVEN'];
  expect((await call({ env: asked })).text).toBe('[null,null,null,"a mine none"]');
});

describe('a server that', () => {
  test('can’t be started, ends at once or is configured wrongly is told of; the others work', async () => {
    const { connected, notices } = servers({
      absent: { command: 'no-such-program-here' },
      broken: fake({ exit: 7, stderr: 'config \u001b[31mmissing\n' }),
      empty: {},
      both: { command: 'x', url: 'http://x' },
      unset: { url: `https://${variable('NO_SUCH_VARIABLE')}/` },
      good: fake(),
    });
    expect((await connected.tools()).map(({ name }) => name)).toEqual(['mcp__good__echo']);
    expect([...notices].sort()).toEqual([
      'MCP server "absent" is left out: could not be started: no-such-program-here is not on the PATH.',
      'MCP server "both" is left out: has both "command" and "url"; give one of them.',
      'MCP server "broken" is left out: Connection closed (exit code 7). It said: config \\u001b[31mmissing.',
      'MCP server "empty" is left out: has neither "command" nor "url".',
      'MCP server "unset" is left out: needs the environment variable NO_SUCH_VARIABLE, which is not set.',
    ]);
  });

  test('never answers is waited for a while, told of, and ended', async () => {
    const log = join(tempFolder(), 'log');
    const { connected, notices } = servers({ deaf: fake({ deaf: true, log }) }, { waitMs: 10, startMs: 1500 });
    expect(await connected.tools()).toEqual([]);
    expect(notices).toEqual(['MCP server "deaf" is still starting; its tools are offered when it is ready.']);
    while (notices.length < 2) await new Promise((done) => setTimeout(done, 20));
    expect(notices[1]).toMatch(/^MCP server "deaf" is left out: /);
    expect(isAlive(Number(/start (\d+)/.exec(readFileSync(log, 'utf8'))![1]))).toBe(false);
  });

  test('speaks only the newest revision is understood too', async () => {
    const modern = resolve(import.meta.dirname, 'modern-server.mjs');
    const { connected, notices, root } = servers({ modern: { command: process.execPath, args: [modern] } });
    const [tool] = await connected.tools();
    expect(notices).toEqual([]);
    expect((await callTool(tool!, {}, { root })).text).toBe('modern times');
  });

  test('lists in pages is read to the end, and one that never ends is cut', async () => {
    const page = (from: number) => Array.from({ length: 3 }, (_, at) => ({ name: `t${from + at}`, inputSchema: {} }));
    const { connected } = servers({ paged: fake({ pages: [page(0), page(3)] }) });
    expect(await connected.tools()).toHaveLength(6);
    const endless = servers({ endless: fake({ pages: [page(0)], endless: true }) });
    expect(await endless.connected.tools()).toHaveLength(3);
    expect(endless.notices).toEqual(['MCP server "endless" lists more tools than can be offered; the first 3 are.']);
  });

  test('lists odd tools gets the good ones offered', async () => {
    const tools = [
      { inputSchema: {} },
      5,
      { name: 'a', description: 7, inputSchema: 'x' },
      { name: 'a' },
      { name: 'b' },
    ];
    const { connected, notices } = servers({ odd: fake({ tools }) });
    const offered = await connected.tools();
    expect(offered.map(({ name, input, description }: Tool) => [name, input, description])).toEqual([
      ['mcp__odd__a', { type: 'object', properties: {} }, ''],
      ['mcp__odd__b', { type: 'object', properties: {} }, ''],
    ]);
    expect(notices).toHaveLength(2);
  });

  test('dies during a call is reported with its last words, and started again for the next', async () => {
    const log = join(tempFolder(), 'log');
    const { call } = await toolOf({ log });
    const died = await call({ die: true });
    expect(died).toMatchObject({ code: 'failed' });
    expect(died.text).toMatch(/^MCP server "fake" ended during the call.* What echo did is unknown\.$/s);
    expect((await call({ x: 1 })).text).toBe('echo: {"x":1}');
    expect(readFileSync(log, 'utf8').match(/start/g)).toHaveLength(2);
  });

  test('answers with an error, or not in time, or is given up on', async () => {
    const log = join(tempFolder(), 'log');
    const { call, tool, root } = await toolOf({ log }, { callMs: 300 });
    expect(await call({ refuse: true })).toMatchObject({
      code: 'failed',
      text: 'MCP server "fake" answered with an error: not today',
    });
    expect(await call({ hang: true })).toMatchObject({
      code: 'timeout',
      text: 'echo of MCP server "fake" did not answer in time. What it did is unknown.',
    });
    const signal = AbortSignal.timeout(50);
    expect(await callTool(tool, { hang: true }, { root, signal })).toMatchObject({ code: 'interrupted' });
    while (!readFileSync(log, 'utf8').includes('cancelled')) await new Promise((done) => setTimeout(done, 20));
  });
});

describe('a result', () => {
  const text = (value: string) => ({ type: 'text', text: value });

  test('is its texts; other content is described', async () => {
    const { call } = await toolOf();
    const content = [
      text('one'),
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA', mimeType: 'application/pdf' } },
    ];
    expect((await call({ result: { content } })).text.split('\n')).toEqual([
      'one',
      "[image: image/png, 3 bytes; it can't be shown here]",
      "[audio: audio/wav, 0 bytes; it can't be shown here]",
      '[resource: a file:///a]',
      '[resource: file:///b]',
      'inside',
      "[resource: file:///c, application/pdf, 3 bytes; it can't be shown here]",
    ]);
  });

  test.each([
    ['without content', { content: [] }, { text: '(no output)' }],
    ['with an object alone', { content: [], structuredContent: { a: 1 } }, { text: '{\n  "a": 1\n}' }],
    ['that is an error', { content: [text('bad')], isError: true }, { text: 'bad', code: 'failed' }],
    [
      'that is long',
      { content: [text('x'.repeat(30_010))] },
      { text: `${'x'.repeat(30_000)}\n... [truncated 10 chars]` },
    ],
  ])('%s', async (_, result, expected) => {
    const { call } = await toolOf();
    expect(await call({ result })).toMatchObject(expected);
  });
});

test('a server over HTTP is spoken to with the configured headers', async () => {
  const app = await openApp(tempFolder(), { approve: 'edits' });
  const factory = mcpServerFactory({ gate: app.gate, version: '1' });
  const http = await serveMcpHttp({ factory, host: '127.0.0.1', port: 0, token: 'secret' });
  onTestFinished(() => http.close());
  const { connected, notices, root } = servers(
    {
      ours: { url: http.url, headers: { authorization: `Bearer ${variable('THE_TOKEN')}` } },
      refused: { url: http.url },
    },
    { env: { ...process.env, THE_TOKEN: 'secret' } },
  );
  const tools = await connected.tools();
  const write = tools.find(({ name }) => name === 'mcp__ours__write_file')!;
  expect((await callTool(write, { path: 'a', content: 'x' }, { root })).code).toBeUndefined();
  expect(readFileSync(join(app.workspace.root.real, 'a'), 'utf8')).toBe('x');
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatch(/^MCP server "refused" is left out: /);
});

/** False for a zombie, too: nobody may be there to collect it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/stat`) || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
