import { request } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { serveMcpHttp } from '../../src/extend/mcp-http.ts';
import { mcpServerFactory } from '../../src/extend/mcp-server.ts';
import { tempFolder } from '../support/folders.ts';
import { eras, mcpClient, openApp, textOf } from './mcp-support.ts';

const token = 'correct horse';

async function served(host = '127.0.0.1') {
  const app = await openApp(tempFolder(), { approve: 'edits' });
  const factory = mcpServerFactory({ gate: app.gate, version: '1' });
  const http = await serveMcpHttp({ factory, host, port: 0, token });
  onTestFinished(() => http.close());
  return http;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

function ask(url: string, { method = 'POST', path = '/mcp', headers = {}, body = list }: Asked = {}) {
  const all = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

test.each(eras)('a client of %s that has the token is served', async (era) => {
  const { url } = await served();
  const client = mcpClient({ era });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_file');
  const result = await client.callTool({ name: 'write_file', arguments: { path: 'a', content: 'x' } });
  expect(textOf(result)).toContain('a');
  expect(result.isError).toBeUndefined();
});

test('a client of 2026-07-28 can be asked over HTTP too', async () => {
  const app = await openApp(tempFolder());
  const factory = mcpServerFactory({ gate: app.gate, version: '1' });
  const { url, close } = await serveMcpHttp({ factory, host: 'localhost', port: 0, token });
  onTestFinished(close);
  const client = mcpClient({ era: '2026-07-28', reply: () => ({ action: 'accept', content: {} }) });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const result = await client.callTool({ name: 'write_file', arguments: { path: 'a', content: 'x' } });
  expect(result.isError).toBeUndefined();
});

test.each(['', 'Bearer', 'Bearer ', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`])(
  'without the token nobody is: "%s"',
  async (authorization) => {
    const { url } = await served();
    expect((await ask(url, { headers: { authorization } })).status).toBe(401);
  },
);

test('a foreign Host or Origin is refused, token or not', async () => {
  const { url } = await served();
  expect((await ask(url)).status).toBe(200);
  expect((await ask(url, { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await ask(url, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect((await ask(url, { headers: { origin: 'null' } })).status).toBe(403);
  expect((await ask(url, { headers: { origin: 'http://localhost:3000' } })).status).toBe(200);
});

test('other methods, paths and broken requests get an answer, and the server stays', async () => {
  const { url } = await served();
  expect((await ask(url, { method: 'GET', headers: { accept: 'text/event-stream' } })).status).toBe(405);
  expect((await ask(url, { method: 'DELETE' })).status).toBe(405);
  expect((await ask(url, { path: '/' })).status).toBe(404);
  expect((await ask(url, { path: '//' })).status).toBe(404);
  expect((await ask(url, { path: '/mcp?x=1' })).status).toBe(200);
  expect((await ask(url, { body: '{"jsonrpc":' })).status).toBe(400);
  expect((await ask(url, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await ask(url)).status).toBe(200);
});

test('a body beyond 64 MB is refused', async () => {
  const { url } = await served();
  const headers = { 'content-length': String(65 * 1024 * 1024) };
  const refused = await ask(url, { headers, body: 'x' }).catch((error: Error) => ({ status: error.message }));
  expect(refused.status).toBe(413);
});

test('every loopback name is known as one', async () => {
  const { isLoopback } = await import('../../src/extend/mcp-http.ts');
  expect(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', '127.example.org', 'localhost.example'].some(isLoopback)).toBe(false);
});
