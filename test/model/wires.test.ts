import { expect, test } from 'vitest';
import { ModelError } from '../../src/model/error.ts';
import type { ModelEvent, ModelRequest } from '../../src/model/model.ts';
import { openModel } from '../../src/model/providers.ts';
import { png } from '../support/images.ts';
import type { ServerReply } from '../support/model-server.ts';
import { modelServer } from '../support/models.ts';

const wires = ['openai-compatible', 'openai-chat', 'openai', 'anthropic'] as const;
const request: ModelRequest = {
  system: { stable: 'Be brief.', live: '# Task list\n[ ] a' },
  messages: [{ role: 'user', text: 'hello' }],
  tools: [
    { name: 'read_file', description: 'Reads.', input: { type: 'object', properties: { path: { type: 'string' } } } },
  ],
};

async function open(provider: string, replies: ServerReply[]) {
  const server = await modelServer(replies);
  const model = await openModel({ id: `${provider}/test`, baseUrl: server.url, apiKey: 'sk-secret', env: {} });
  return { server, model };
}

async function collect(provider: string, reply: ServerReply, asked = request) {
  const { server, model } = await open(provider, [reply]);
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, new AbortController().signal)) events.push(event);
  return { events, server };
}

async function faultOf(provider: string, reply: ServerReply): Promise<ModelError> {
  const error = await collect(provider, reply).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error;
}

test.each(wires)('%s: text, reasoning and calls are streamed and come whole at their end', async (provider) => {
  const { events } = await collect(provider, {
    reasoning: 'let me look',
    text: 'Reading two files.',
    calls: [
      { id: 'a1', tool: 'read_file', arguments: { path: 'a.txt' } },
      { id: 'b2', tool: 'read_file', arguments: { path: 'b.txt' } },
    ],
    usage: { input: 120, output: 30, cached: 20 },
  });
  const deltas = (of: string) =>
    events.flatMap((event) => (event.type === 'delta' && event.of === of ? [event.text] : []));
  if (provider !== 'openai-chat') {
    expect(deltas('reasoning').length).toBeGreaterThan(1);
    expect(deltas('reasoning').join('')).toBe('let me look');
  }
  expect(deltas('text').length).toBeGreaterThan(1);
  expect(deltas('text').join('')).toBe('Reading two files.');
  expect(deltas('arguments').join('')).toBe('{"path":"a.txt"}{"path":"b.txt"}');
  const parts = events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
  expect(parts.filter((part) => part.type !== 'reasoning')).toMatchObject([
    { type: 'text', text: 'Reading two files.' },
    { type: 'call', callId: 'a1', tool: 'read_file', arguments: '{"path":"a.txt"}' },
    { type: 'call', callId: 'b2', tool: 'read_file', arguments: '{"path":"b.txt"}' },
  ]);
  const cached = provider === 'anthropic' ? { input: 140 } : { input: 120 };
  expect(events.at(-1)).toMatchObject({
    type: 'finish',
    reason: 'calls',
    usage: { ...cached, output: 30, cacheRead: 20 },
  });
});

test.each(wires)('%s: a call whose arguments are no JSON comes through as written', async (provider) => {
  const { events } = await collect(provider, { calls: [{ id: 'a', tool: 'read_file', arguments: '{"path":"a' }] });
  expect(events).toContainEqual({
    type: 'part',
    part: expect.objectContaining({ type: 'call', callId: 'a', arguments: '{"path":"a' }),
  });
});

test.each(wires)('%s: history with broken calls, errors and reasoning is sent back well-formed', async (provider) => {
  const { server } = await collect(
    provider,
    { text: 'ok' },
    {
      ...request,
      messages: [
        { role: 'user', text: 'hello' },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'I read.' },
            { type: 'call', callId: 'c1', tool: 'read_file', arguments: '{"path":' },
            { type: 'call', callId: 'c2', tool: 'read_file', arguments: '{"path":"b"}' },
          ],
        },
        {
          role: 'tool',
          results: [
            { callId: 'c1', tool: 'read_file', text: 'invalid', failed: true },
            { callId: 'c2', tool: 'read_file', text: 'content', failed: false },
          ],
        },
      ],
    },
  );
  const text = server.requests[0]!.text;
  expect(text).toContain('unparsed');
  expect(text.match(/"(tool_)?call_id":"c1"|"tool_use_id":"c1"/g)?.length).toBeGreaterThan(0);
  expect(text).toContain('invalid');
  expect(server.requests[0]!.body.stream).toBe(true);
});

test.each(wires)('%s: the key goes into a header and nowhere else', async (provider) => {
  const { server } = await collect(provider, { text: 'ok' });
  const { headers, text } = server.requests[0]!;
  expect(headers.authorization ?? headers['x-api-key']).toContain('sk-secret');
  expect(text).not.toContain('sk-secret');
});

test.each(wires)('%s: faults by kind', async (provider) => {
  const busy = await faultOf(provider, {
    status: 429,
    headers: { 'retry-after': '7' },
    body: { error: { message: 'slow down sk-secret', type: 'rate_limit_error' } },
  });
  expect([busy.fault, busy.retryAfterMs, busy.worthRetrying]).toEqual(['busy', 7000, true]);
  expect(busy.message).not.toContain('sk-secret');
  expect((await faultOf(provider, { status: 500, body: 'oops' })).fault).toBe('busy');
  expect((await faultOf(provider, { status: 529, body: { error: { message: 'overloaded' } } })).fault).toBe('busy');
  expect((await faultOf(provider, { status: 401, body: { error: { message: 'bad key' } } })).fault).toBe('auth');
  expect((await faultOf(provider, { status: 400, body: { error: { message: 'no such field' } } })).fault).toBe(
    'rejected',
  );
  const quota = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
  expect((await faultOf(provider, { status: 429, body: quota })).fault).toBe('quota');
  const long = {
    error: { message: "This model's maximum context length is 8192 tokens", code: 'context_length_exceeded' },
  };
  expect((await faultOf(provider, { status: 400, body: long })).fault).toBe('context');
  const prompt = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens' },
  };
  expect((await faultOf(provider, { status: 400, body: prompt })).fault).toBe('context');
});

test.each(wires)(
  '%s: a connection that is cut, before or within the answer, is worth another try',
  async (provider) => {
    expect((await faultOf(provider, { cut: 'before' })).fault).toBe('network');
    expect((await faultOf(provider, { text: 'half an answer', cut: 'middle' })).worthRetrying).toBe(true);
    expect((await faultOf(provider, { text: 'half an answer', noEnd: true })).worthRetrying).toBe(true);
  },
);

test.each(wires)('%s: an error event within the stream', async (provider) => {
  const errorEvent = { type: 'server_error', message: 'The server had an error', code: 'server_error' };
  expect((await faultOf(provider, { text: 'half an answer', errorEvent })).fault).toBe('busy');
});

test.each(wires)('%s: an abort ends the request and throws the reason', async (provider) => {
  const { model } = await open(provider, [{ text: 'a long answer', pause: 20_000 }]);
  const stop = new AbortController();
  const reading = (async () => {
    for await (const event of model.stream(request, stop.signal)) if (event.type === 'delta') stop.abort();
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test.each(wires)('%s: an answer without end is cut off, and so is an error text', async (provider) => {
  const answer = await faultOf(provider, { endless: true });
  expect([answer.fault, answer.message]).toEqual(['output', 'The server sent 32 MB without the end of an event.']);
  const error = await faultOf(provider, { endless: true, status: 400 });
  expect([error.fault, error.message.length < 700]).toEqual(['rejected', true]);
});

test.each(wires)('%s: a web page in place of an answer points to the base URL', async (provider) => {
  const { fault, message } = await faultOf(provider, {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<html>Please sign in</html>',
  });
  expect([fault, message.replace(/:\d+/, ':PORT')]).toEqual([
    'rejected',
    expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:PORT\/v1\/[a-z/]+ answered with a web page\. Is the base URL right\?$/,
    ),
  ]);
});

test.each(wires)(
  '%s: a redirect is not followed, and an answer that is compressed all the same is named',
  async (provider) => {
    const away = await faultOf(provider, { status: 307, headers: { location: 'http://other.example/v1?key=x' } });
    expect([away.fault, away.message]).toEqual([
      'rejected',
      expect.stringContaining(
        'sends us on to http://other.example/v1, which is not followed, since the key would go along.',
      ),
    ]);
    const packed = await faultOf(provider, { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'x' });
    expect([packed.fault, packed.message]).toEqual([
      'rejected',
      expect.stringContaining('answered compressed (gzip), though it was asked not to.'),
    ]);
  },
);

test('what a provider says is said once, without the JSON around it', async () => {
  const { message } = await faultOf('openai-compatible', { status: 429, body: { error: { message: 'slow down' } } });
  expect(message).toBe('The model provider is busy: HTTP 429, slow down');
});

const shown: ModelRequest = {
  ...request,
  messages: [
    {
      role: 'user',
      text: 'What is on @a.png?',
      images: [{ name: 'a.png', mediaType: 'image/png', bytes: png(16) }],
    },
  ],
};
const base64 = png(16).toString('base64');

test('an image goes out in the words of each protocol, its name before it', async () => {
  const bodies = new Map<string, unknown>();
  for (const provider of wires) {
    const { server } = await collect(provider, { text: 'A cat.' }, shown);
    const { messages, input } = server.requests[0]!.body;
    bodies.set(provider, (messages ?? input).at(-1).content);
  }
  const texts = ['What is on @a.png?', '[image a.png]'];
  const chat = [
    ...texts.map((text) => ({ type: 'text', text })),
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
  ];
  expect(bodies.get('openai-compatible')).toEqual(chat);
  expect(bodies.get('openai-chat')).toEqual(chat);
  expect(bodies.get('openai')).toEqual([
    ...texts.map((text) => ({ type: 'input_text', text })),
    { type: 'input_image', image_url: `data:image/png;base64,${base64}` },
  ]);
  expect(bodies.get('anthropic')).toEqual([
    ...texts.map((text) => ({ type: 'text', text })),
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: base64 },
      cache_control: { type: 'ephemeral' },
    },
  ]);
});

test('models that are known to take text alone', async () => {
  const sees = async (id: string) => (await openModel({ id, baseUrl: 'http://x', apiKey: 'k', env: {} })).sees;
  for (const id of [
    'openai/gpt-3.5-turbo',
    'openrouter/deepseek/deepseek-chat',
    'ollama/qwen2.5-coder:7b',
    'ollama/llama3.1:8b',
  ])
    expect([id, await sees(id)]).toEqual([id, false]);
  for (const id of [
    'anthropic/claude-sonnet-4-5',
    'openai/gpt-5',
    'openai/gpt-4.1',
    'ollama/llama3.2-vision',
    'ollama/who-knows',
  ])
    expect([id, await sees(id)]).toEqual([id, undefined]);
});

test('a server that has no eyes says so with a 500, which is no reason to try again', async () => {
  const body = {
    error: { code: 500, message: 'image input is not supported - hint: you may need to provide the mmproj' },
  };
  expect((await faultOf('openai-compatible', { status: 500, body })).fault).toBe('rejected');
});
