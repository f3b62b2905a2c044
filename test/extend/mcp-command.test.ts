import { once } from 'node:events';
import { expect, test } from 'vitest';
import { command } from './mcp-support.ts';

test('--http makes a token and prints it on stderr; an empty variable is no token', async () => {
  const { stderr, output, code, stop } = command({ http: '0' }, { BENCHDOG_MCP_TOKEN: '' });
  const stdout = output();
  let said = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  while (!said.includes('Bearer token')) await once(stderr, 'data');
  const [, url, token] = /(http:\S+)\nBearer token: (\S{32})\n/.exec(said) ?? [];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (more: Record<string, string>) =>
    fetch(url!, { method: 'POST', body, headers: { ...headers, ...more } }).then(({ status }) => status);
  expect(await post({})).toBe(401);
  expect(await post({ authorization: `Bearer ${token}` })).toBe(200);
  stop();
  expect(await code).toBe(0);
  expect(await stdout).toBe('');
});

test('a token of one’s own is not printed', async () => {
  const { stderr, code, stop } = command({ http: 'localhost:0' }, { BENCHDOG_MCP_TOKEN: 'my-token' });
  const [line] = (await once(stderr, 'data')) as [Buffer];
  expect(String(line)).toMatch(/^benchdog mcp: http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/mcp\n$/);
  stop();
  expect(await code).toBe(0);
});

test.each([
  ['0.0.0.0:0', 'serving 0.0.0.0 to other machines needs a token you chose: set BENCHDOG_MCP_TOKEN, or use 127.0.0.1.'],
  ['nowhere', '--http takes [HOST:]PORT, got "nowhere".'],
  ['127.0.0.1:99999', '--http takes [HOST:]PORT, got "127.0.0.1:99999".'],
])('--http %s is wrong usage', async (http, message) => {
  await expect(command({ http }).code).rejects.toThrow(message);
});
