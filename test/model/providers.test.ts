import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listModels } from '../../src/model/list-models.ts';
import type { Model, ModelEvent, ModelRequest } from '../../src/model/model.ts';
import { costOf } from '../../src/model/model.ts';
import { howToGetAModel } from '../../src/model/no-model.ts';
import { openModel, placeOf } from '../../src/model/providers.ts';
import { proxyFor } from '../../src/model/proxy.ts';
import { tempFolder } from '../support/folders.ts';
import { modelServer } from '../support/models.ts';

const request: ModelRequest = {
  system: { stable: 'Be brief.', live: '# Task list' },
  messages: [
    { role: 'user', text: 'hello' },
    { role: 'assistant', parts: [{ type: 'call', callId: 'c1', tool: 'read', arguments: '{}' }] },
    { role: 'tool', results: [{ callId: 'c1', tool: 'read', text: 'content', failed: false }] },
  ],
  tools: [{ name: 'read', description: 'Reads.', input: { type: 'object', properties: {} } }],
};

async function ask(model: Model, asked = request): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, new AbortController().signal)) events.push(event);
  return events;
}

const refusal = (choice: Parameters<typeof openModel>[0]) =>
  openModel(choice).then(
    () => undefined,
    (error) => [error.code, error.message],
  );

test('a wrong choice says what is missing', async () => {
  expect(await refusal({ id: 'openai/gpt-5', env: {} })).toEqual([
    'invalid',
    'No key for openai: set BENCHDOG_API_KEY or OPENAI_API_KEY, or run `benchdog login`.',
  ]);
  expect(await refusal({ id: 'openai-compatible/x', env: {} })).toEqual([
    'invalid',
    'openai-compatible/x needs a base URL: --base-url or BENCHDOG_BASE_URL.',
  ]);
  expect(await refusal({ id: 'nobody/x', env: {} })).toEqual([
    'invalid',
    '"nobody/x" names no known model provider. Write PROVIDER/ID with one of anthropic, openai, openai-chat, openrouter, ollama, openai-compatible, or scripted:FILE.',
  ]);
});

test('a base URL makes an id of any shape openai-compatible', async () => {
  const model = await openModel({ id: 'meta-llama/llama-3', baseUrl: 'http://127.0.0.1:1/v1', env: {} });
  expect(model.id).toBe('openai-compatible/meta-llama/llama-3');
});

test.each([
  ['anthropic/m', { ANTHROPIC_API_KEY: 'k' }, 'https://api.anthropic.com/v1'],
  ['anthropic/m', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://host/' }, 'http://host/v1'],
  ['openai/m', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
  ['openrouter/a/b', { OPENROUTER_API_KEY: 'k' }, 'https://openrouter.ai/api/v1'],
  ['ollama/m', {}, 'http://127.0.0.1:11434/v1'],
  ['ollama/m', { OLLAMA_HOST: '10.0.0.1:1234' }, 'http://10.0.0.1:1234/v1'],
])('%s with %j goes to %s', (id, env, url) => {
  expect(placeOf({ id, env }).baseURL).toBe(url);
});

test('keys: the given one, then BENCHDOG_API_KEY, then the provider’s own', () => {
  const env = { BENCHDOG_API_KEY: 'ours', OPENAI_API_KEY: 'own' };
  expect(placeOf({ id: 'openai/m', apiKey: 'given', env }).apiKey).toBe('given');
  expect(placeOf({ id: 'openai/m', env }).apiKey).toBe('ours');
  expect(placeOf({ id: 'openai/m', env: { OPENAI_API_KEY: 'own' } }).apiKey).toBe('own');
});

test('Anthropic gets cache marks after the stable instructions and after the last message', async () => {
  const server = await modelServer([{ text: 'ok' }]);
  await ask(await openModel({ id: 'anthropic/m', baseUrl: server.url, apiKey: 'k', env: {} }));
  const { system, messages } = server.requests[0]!.body;
  const cache_control = { type: 'ephemeral' };
  expect(system).toEqual([
    { type: 'text', text: 'Be brief.', cache_control },
    { type: 'text', text: '# Task list' },
  ]);
  expect(messages.at(-1).content).toEqual([
    { type: 'tool_result', tool_use_id: 'c1', content: 'content', cache_control },
  ]);
});

test('OpenRouter gets them within the content, for the models that know them', async () => {
  const server = await modelServer([{ text: 'ok' }, { text: 'ok' }]);
  const choice = { baseUrl: server.url, apiKey: 'k', env: {} };
  await ask(await openModel({ id: 'openrouter/anthropic/m', ...choice }));
  await ask(await openModel({ id: 'openrouter/other/m', ...choice }));
  const [marked, plain] = server.requests.map(({ body }) => body.messages);
  const cache_control = { type: 'ephemeral' };
  expect(marked[0]).toEqual({ role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control }] });
  expect(marked.at(-1)).toEqual({
    role: 'tool',
    tool_call_id: 'c1',
    content: [{ type: 'text', text: 'content', cache_control }],
  });
  expect(plain[0]).toEqual({ role: 'system', content: 'Be brief.\n\n# Task list' });
});

test('OpenAI responses keep nothing on the server and take encrypted reasoning back', async () => {
  const server = await modelServer([{ reasoning: 'hm', text: 'ok' }, { text: 'ok' }]);
  const model = await openModel({ id: 'openai/gpt-5', baseUrl: server.url, apiKey: 'k', cacheKey: 's1', env: {} });
  const parts = (await ask(model)).flatMap((event) => (event.type === 'part' ? [event.part] : []));
  await ask(model, {
    ...request,
    messages: [...request.messages, { role: 'assistant', parts }, { role: 'user', text: 'on' }],
  });
  const [first, second] = server.requests.map(({ body }) => body);
  expect([first.store, first.prompt_cache_key]).toEqual([false, 's1']);
  expect(JSON.stringify(second.input)).toContain('"encrypted_content":"sealed"');
});

test('signed reasoning goes back to Anthropic as it came', async () => {
  const server = await modelServer([{ reasoning: 'hm', text: 'ok' }, { text: 'ok' }]);
  const model = await openModel({ id: 'anthropic/m', baseUrl: server.url, apiKey: 'k', env: {} });
  const parts = (await ask(model)).flatMap((event) => (event.type === 'part' ? [event.part] : []));
  await ask(model, {
    ...request,
    messages: [...request.messages, { role: 'assistant', parts }, { role: 'user', text: 'on' }],
  });
  expect(server.requests[1]!.text).toContain('{"type":"thinking","thinking":"hm","signature":"signed"}');
});

test('HTTP_PROXY is used, with its credentials, and NO_PROXY is not', async () => {
  const server = await modelServer(() => ({ text: 'ok' }));
  const seen: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', (incoming, socket, head) => {
    seen.push(incoming.url, incoming.headers['proxy-authorization']);
    const [host, port] = incoming.url!.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const env = { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const choice = { id: 'openai-compatible/m', baseUrl: server.url };
  await ask(await openModel({ ...choice, env }));
  expect(seen).toEqual([new URL(server.url).host, `Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
  await ask(await openModel({ ...choice, env: { ...env, NO_PROXY: 'example.com, 127.0.0.1' } }));
  expect(seen).toHaveLength(2);
});

test.each([
  ['https://api.x.com/v1', { https_proxy: 'p:1' }, 'http://p:1/'],
  ['https://api.x.com/v1', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://api.x.com/v1', { ALL_PROXY: 'http://p:1', NO_PROXY: '.x.com' }, undefined],
  ['https://api.x.com/v1', { HTTPS_PROXY: 'http://p:1', no_proxy: 'y.com,xx.com' }, 'http://p:1/'],
  ['https://api.x.com/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['http://h:8080/', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'h:8081' }, 'http://p:1/'],
])('proxy for %s with %j is %s', (url, env, expected) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(expected);
});

test('a provider’s models are listed', async () => {
  const server = createServer((incoming, response) => {
    const ok = incoming.headers.authorization === 'Bearer k';
    response.writeHead(ok ? 200 : 401).end(ok ? '{"data":[{"id":"b"},{"id":"a"},{}]}' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  expect(await listModels({ id: 'openai/', baseUrl, apiKey: 'k', env: {} })).toEqual(['a', 'b']);
  await expect(listModels({ id: 'openai/', baseUrl, apiKey: 'x', env: {} })).rejects.toMatchObject({ fault: 'auth' });
});

test('a script is an array or one reply a line', async () => {
  const folder = tempFolder();
  const replies = [{ text: 'one' }, { text: 'two' }];
  for (const [name, content] of [
    ['a.json', JSON.stringify(replies)],
    ['b.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n')],
  ]) {
    const file = join(folder, name!);
    writeFileSync(file, content!);
    const model = await openModel({ id: `scripted:${file}`, env: {} });
    const first = await ask(model, { ...request, messages: [{ role: 'user', text: 'hi' }] });
    expect(first).toContainEqual({ type: 'part', part: { type: 'text', text: 'one' } });
    expect(await ask(model)).toContainEqual({ type: 'part', part: { type: 'text', text: 'two' } });
  }
});

test('cost counts cached tokens at their own price', () => {
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 100_000, reasoning: 0 };
  expect(costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(
    0.9 + 0.18 + 0.375 + 1.5,
    10,
  );
  expect(costOf(usage, { input: 1, output: 0 })).toBeCloseTo(1, 10);
});

test('without a model five lines say how to get one', () => {
  expect(howToGetAModel.split('\n')).toHaveLength(5);
});
