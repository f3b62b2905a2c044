import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/cli/agent.ts';
import { runCall } from '../../src/cli/call.ts';
import type { AgentFlags, Io } from '../../src/cli/program.ts';
import type { ScriptedReply } from '../../src/model/scripted.ts';
import { tempFolder } from '../support/folders.ts';
import { joined, openApp } from './mcp-support.ts';

const script = resolve(import.meta.dirname, 'fake-server.mjs');
const fake = { command: process.execPath, args: [script] };
const all = { mcp: true, plugins: true, skills: true, memory: true, instructions: true, subagent: true };

function commandProcess(home: Record<string, string>) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const place = tempFolder(home);
  const env = { BENCHDOG_HOME: place, PATH: process.env.PATH };
  const io = { stdin, stdout, stderr, env, signal: new AbortController().signal } as unknown as Io;
  const said = { stdout: text(stdout), stderr: text(stderr) };
  const end = async (code: Promise<number>) => {
    const result = await code.finally(() => [stdout, stderr].map((stream) => stream.end()));
    return { code: result, stdout: await said.stdout, stderr: await said.stderr };
  };
  return { io, end, home: place };
}

async function turn(replies: readonly ScriptedReply[], home: Record<string, string>, flags: Partial<AgentFlags> = {}) {
  const { io, end, home: place } = commandProcess(home);
  const root = tempFolder();
  const model = `scripted:${join(tempFolder({ 'script.json': JSON.stringify(replies) }), 'script.json')}`;
  const result = await end(runAgent(io, undefined, { ...all, root, model, print: 'go', json: true, ...flags }));
  const events = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...result, events, root, home: place };
}

test('a turn uses a server’s tool, a note, a skill; a plugin sees its end', async () => {
  const log = join(tempFolder(), 'turn.json');
  const { events, code } = await turn(
    [
      { calls: [{ tool: 'mcp__fake__echo', arguments: { a: 1 } }] },
      { calls: [{ tool: 'remember', arguments: { note: 'it works' } }] },
      { calls: [{ tool: 'skill', arguments: { name: 'mine' } }] },
      { text: 'Done.' },
    ],
    {
      'config.json': JSON.stringify({ mcpServers: { fake }, plugins: ['watch'] }),
      'skills/mine.md': '---\ndescription: of the user\n---\nDo as I say.\n',
      'plugins/watch.mjs': `import { writeFileSync } from 'node:fs';
        export default { afterTurn: (turn) => writeFileSync(${JSON.stringify(log)}, JSON.stringify(turn)) };`,
    },
    { allow: ['mcp__fake__*'] },
  );
  const results = events.filter(({ type }) => type === 'tool-result').map((event) => event.text);
  expect(results).toEqual(['echo: {"a":1}', 'Noted. Notes in all: 1.', 'Do as I say.']);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual({ exitCode: 0, text: 'Done.', changed: [] });
});

test('a server’s tool is asked, so headless it is denied; --no-mcp starts none', async () => {
  const config = { 'config.json': JSON.stringify({ mcpServers: { fake } }) };
  const replies = [{ calls: [{ tool: 'mcp__fake__echo', arguments: {} }] }, { text: 'Done.' }];
  const asked = await turn(replies, config);
  expect(asked.code).toBe(3);
  expect(asked.events.some(({ type, tool }) => type === 'tool-denied' && tool === 'mcp__fake__echo')).toBe(true);
  const off = await turn(replies, config, { mcp: false });
  expect(off.events.find(({ type }) => type === 'tool-error')?.text).toContain('There is no tool named');
});

test('a manifest’s refusal stands under --approve all and against --allow', async () => {
  const manifest = { refuse: [{ tool: 'write_file', pattern: 'api/**', reason: 'it is built' }] };
  const { root, events } = await turn(
    [{ calls: [{ tool: 'write_file', arguments: { path: 'api/a.txt', content: 'x' } }] }, { text: 'Done.' }],
    { 'config.json': '{ "plugins": ["keep"] }', 'plugins/keep.json': JSON.stringify(manifest) },
    { approve: 'all', allow: ['write_file:api/**'] },
  );
  expect(existsSync(join(root, 'api'))).toBe(false);
  expect(String(events.find(({ type }) => type === 'tool-denied')?.text)).toContain('Reason: it is built.');
});

test('benchdog call reaches a server’s tool', async () => {
  const { io, end } = commandProcess({ 'config.json': JSON.stringify({ mcpServers: { fake } }) });
  const flags = { root: tempFolder(), allow: ['mcp__fake__echo'] };
  expect(await end(runCall(io, 'mcp__fake__echo', '{"a": 2}', flags))).toMatchObject({
    code: 0,
    stdout: 'echo: {"a":2}\n',
  });
});

test('an unknown plugin ends the start with the valid names', async () => {
  const { io } = commandProcess({ 'config.json': '{ "plugins": ["gaurd"] }' });
  const flags = { root: tempFolder() };
  await expect(runCall(io, 'git_status', '{}', flags)).rejects.toThrow('unknown plugin "gaurd". Did you mean "guard"?');
});

test('dialects that know no notes and skills offer none, and flags switch them off', async () => {
  const names = async (flags: Parameters<typeof openApp>[1]) => {
    const app = await openApp(tempFolder(), flags);
    return app.registry
      .list()
      .map(({ name }) => name)
      .filter((name) => /^(remember|recall|forget|skill)$/.test(name));
  };
  expect(await names({})).toEqual(['remember', 'recall', 'forget', 'skill']);
  expect(await names({ dialect: 'shiro', memory: false })).toEqual(['skill']);
  expect(await names({ skills: false })).toEqual(['remember', 'recall', 'forget']);
  expect(await names({ dialect: 'udiff' })).toEqual([]);
  expect(await names({ dialect: 'rousseau' })).toEqual([]);
});

test('notes are served over MCP, as what changes no file', async () => {
  const client = await joined(await openApp(tempFolder()));
  const { tools } = await client.listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.remember).toEqual({ readOnlyHint: false, destructiveHint: false, openWorldHint: false });
  expect(hints.recall).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  expect(hints.skill).toBeUndefined();
  const result = await client.callTool({ name: 'remember', arguments: { note: 'a note' } });
  expect(result.content).toEqual([{ type: 'text', text: 'Noted. Notes in all: 1.' }]);
});
