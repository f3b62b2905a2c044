import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lineTransport, type OddLine } from '../../src/extend/mcp-lines.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';
import { command, mcpClient, textOf } from './mcp-support.ts';

const cli = resolve(import.meta.dirname, '../../src/cli.ts');

/** A dependency that prints on stdout by every way there is, as soon as the server runs and ever after. */
const chatter = `data:text/javascript,${encodeURIComponent(`
  setInterval(() => {
    console.log('banner'); console.info('info'); console.table([{ a: 1 }]); console.dir({ b: 2 });
    process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n');
  }, 1).unref();`)}`;

function start(root: string, flags: readonly string[] = [], preload: readonly string[] = []) {
  const args = [
    '--import',
    'tsx',
    ...preload.flatMap((url) => ['--import', url]),
    cli,
    'mcp',
    '--root',
    root,
    ...flags,
  ];
  return {
    command: process.execPath,
    args,
    env: { ...process.env, BENCHDOG_HOME: tempFolder() } as Record<string, string>,
  };
}

test('the command serves a client on stdio', { timeout: 90_000 }, async () => {
  const root = tempFolder({ 'a.txt': 'hello\n' });
  const client = mcpClient({ era: '2026-07-28' });
  await client.connect(new StdioClientTransport(start(root, ['--approve', 'edits'])));
  expect(client.getInstructions()).toContain(root);
  const result = await client.callTool({ name: 'write_file', arguments: { path: 'b.txt', content: 'x\n' } });
  expect(result.structuredContent).toMatchObject({ changes: [{ type: 'create', path: 'b.txt' }] });
  expect(textOf(result)).toContain('b.txt');
});

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

test('stdout carries protocol lines alone, whatever a dependency prints there', { timeout: 90_000 }, async () => {
  const program = start(tempFolder(), [], [chatter]);
  const server = spawn(program.command, program.args, { env: program.env });
  onTestFinished(() => void server.kill('SIGKILL'));
  const stderr = text(server.stderr);
  let seen = '';
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
  });
  // The server is there when it answers; before that its dependencies have not begun to talk either.
  server.stdin.write(`${JSON.stringify({ ...hello, id: 77 })}\n`);
  while (!seen.includes('"id":77')) await once(server.stdout, 'data');
  const started = seen.length;
  server.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 78, method: 'tools/list' })}\n`);
  await once(server, 'close');
  const lines = seen
    .slice(seen.lastIndexOf('\n', started - 2) + 1)
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([77, 78]);
  expect(await stderr).toContain('banner');
});

test('malformed lines are answered and passed over, and the end of input ends the server', async () => {
  const server = command({});
  const output = server.output();
  const lines = [
    JSON.stringify(hello),
    'My client v1.0',
    '',
    '{"jsonrpc":"2.0","id":5,"method":7}',
    '[]',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":6,"method":"no/such/method"}',
    '{"jsonrpc":"2.0","id":"last","method":"tools/list"}',
    '{"jsonrpc":"2.0","id":',
  ];
  server.stdin.end(lines.join('\n'));
  expect(await server.code).toBe(0);
  const answers = (await output)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } })
    .map(({ id, error }) => [id, error?.code]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['[1,null]', '[null,-32700]', '[5,-32600]', '[null,-32600]', '[6,-32601]', '["last",null]']),
  );
});

describe('lines', () => {
  function receiver(maxBytes?: number) {
    const input = new PassThrough();
    const messages: unknown[] = [];
    const odd: OddLine[] = [];
    const transport = lineTransport({
      input,
      output: new PassThrough().resume(),
      onOddLine: (line) => void odd.push(line),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
    transport.onmessage = (message) => void messages.push(message);
    return { input, messages, odd, transport };
  }
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test('may come in pieces of any size, with CRLF, and several at once', async () => {
    const { input, messages, transport } = receiver();
    await transport.start();
    const bytes = Buffer.from(`${JSON.stringify(ping(1))}\r\n${JSON.stringify({ ...ping(2), params: { ä: '→' } })}\n`);
    for (const byte of bytes) input.write(Buffer.of(byte));
    input.write(`${JSON.stringify(ping(3))}\n${JSON.stringify(ping(4))}\n`);
    input.end();
    await transport.ended;
    expect(messages).toEqual([ping(1), { ...ping(2), params: { ä: '→' } }, ping(3), ping(4)]);
  });

  test('that are too long are passed over without being held', async () => {
    const { input, messages, odd, transport } = receiver(1000);
    await transport.start();
    for (let part = 0; part < 100; part += 1) input.write('x'.repeat(100));
    input.end(`\n${JSON.stringify(ping(1))}\n`);
    await transport.ended;
    expect(odd).toEqual([{ type: 'oversized' }]);
    expect(messages).toEqual([ping(1)]);
  });

  test.each([
    [{ jsonrpc: '1.0', id: 1, method: 'x' }],
    [{ jsonrpc: '2.0' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', id: {}, method: 'x' }],
    [{ jsonrpc: '2.0', id: 1, method: 'x', params: [] }],
    [{ jsonrpc: '2.0', id: 1, result: 5 }],
    [{ jsonrpc: '2.0', id: 1, error: { code: 'x' } }],
    [5],
    [null],
  ])('that are no message are told apart: %j', async (value) => {
    const { input, messages, odd, transport } = receiver();
    await transport.start();
    input.end(`${JSON.stringify(value)}\n`);
    await transport.ended;
    expect(messages).toEqual([]);
    expect(odd).toEqual([{ type: 'json', value }]);
  });

  test('of every kind in pieces of every size: messages come whole and in order, nothing else does', async () => {
    const line = fc.oneof(
      fc.record({ message: fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), method: fc.string() }) }),
      fc.record({ junk: fc.oneof(fc.string(), fc.json()).map((text) => text.replaceAll('\n', ' ')) }),
    );
    const property = fc.asyncProperty(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 50 })),
      async (lines, sizes) => {
        const { input, messages, transport } = receiver();
        await transport.start();
        const sent = lines.flatMap((one) => ('message' in one ? [one.message] : []));
        const bytes = Buffer.from(
          lines.map((one) => `${'message' in one ? JSON.stringify(one.message) : one.junk}\n`).join(''),
        );
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes.length === 0 ? bytes.length : sizes[turn % sizes.length]!;
          input.write(bytes.subarray(at, at + size));
          at += size;
        }
        input.end();
        await transport.ended;
        expect(messages).toEqual(sent);
      },
    );
    await fc.assert(property, runs(200));
  });
});
