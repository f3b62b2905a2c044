import { expect, test } from 'vitest';
import { compact } from '../../src/agent/compact.ts';
import { createEstimator } from '../../src/agent/estimate.ts';
import { factsOf } from '../../src/agent/facts.ts';
import { memorySession } from '../../src/agent/record.ts';
import { messagesOf } from '../../src/agent/transcript.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { openModel } from '../../src/model/providers.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent } from '../support/agent.ts';
import { modelServer } from '../support/models.ts';

const tooLong = {
  status: 400,
  body: { error: { message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' } },
};
const big = 'x'.repeat(20_000);

function paired(messages: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[]): boolean {
  const asked = messages.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
  const answered = messages.flatMap((message) => (message.tool_call_id === undefined ? [] : [message.tool_call_id]));
  return JSON.stringify(asked) === JSON.stringify(answered);
}

test('old results are dropped first; each keeps a line that says it ran, and its pair', async () => {
  const model = {
    ...scriptedModel([...Array(8).fill({ calls: [{ tool: 'read' }] }), { text: 'end' }]),
    contextTokens: 32_000,
  };
  const { events, session } = await takeTurn(testAgent(model, fakeGate({ read: () => ok(big) })));
  expect(ofType(events, 'notice').map(({ code }) => code)).toContain('context');
  expect(ofType(events, 'compacted')).toEqual([]);
  const results = messagesOf(session.records).flatMap((message) => (message.role === 'tool' ? message.results : []));
  expect(results).toHaveLength(8);
  expect(results[0]!.text).toBe('[read ran and succeeded; its 20000 characters were dropped to save room.]');
  expect(results.at(-1)!.text).toBe(big);
});

test('a context-length error compacts and goes on', async () => {
  const server = await modelServer((request, index) => {
    if (index === 5) return tooLong;
    const isSummary = request.body.messages[0].content.startsWith('Condense');
    if (isSummary) return { text: 'The goal is G.' };
    return index < 8
      ? { calls: [{ id: `c${index}`, tool: 'write', arguments: { text: 'y'.repeat(4000) } }] }
      : { text: 'end' };
  });
  const model = await openModel({ id: 'openai-compatible/test', baseUrl: server.url, env: {} });
  const change = { type: 'create' as const, path: 'a.txt', added: 1, removed: 0 };
  const gate = fakeGate({ write: () => ({ ok: true, text: 'written', changes: [change] }) });
  const { done, events, session } = await takeTurn(testAgent(model, gate), 'reach G');
  expect(done).toMatchObject({ exit: 0, text: 'end' });
  expect(ofType(events, 'compacted')).toHaveLength(1);
  expect(gate.seen).toHaveLength(6);
  const after = server.requests.at(-1)!.body.messages;
  expect(after[1].content).toMatch(
    /^\(The earlier conversation was condensed to this.\)\n\n# Summary\n\nThe goal is G.\n\n# On record\n\n## What the user said\n- reach G\n\n## Changes and commands, in order\n- write: done; create a.txt/,
  );
  expect(server.requests.every(({ body }) => paired(body.messages))).toBe(true);
  expect(session.records.filter((record) => 'role' in record && record.role === 'tool')).toHaveLength(6);
});

test('a request that stays too long ends with an error, not in a circle', async () => {
  const server = await modelServer(() => tooLong);
  const model = await openModel({ id: 'openai-compatible/test', baseUrl: server.url, env: {} });
  const { done, events } = await takeTurn(testAgent(model, fakeGate({})));
  expect(done.exit).toBe(1);
  expect(ofType(events, 'error')[0]?.code).toBe('context');
  expect(server.requests).toHaveLength(1);
  expect(ofType(events, 'compacted')).toEqual([]);
});

test('compaction by hand keeps facts though the model fails, and what is newest as it is', async () => {
  const session = memorySession();
  const call = (callId: string, tool: string, args: object) => ({
    type: 'call' as const,
    callId,
    tool,
    arguments: JSON.stringify(args),
  });
  session.append({ role: 'user', kind: 'prompt', text: 'make it fast' });
  session.append({ role: 'assistant', parts: [call('a', 'bash', { command: 'npm test' }), call('b', 'grep', {})] });
  session.append({ type: 'started', callId: 'a' });
  session.append({ role: 'tool', callId: 'a', tool: 'bash', result: 'exit code: 1\nstdout:\nno' });
  session.append({ role: 'tool', callId: 'b', tool: 'grep', result: 'a.ts:1: x' });
  session.append({ role: 'assistant', parts: [{ type: 'text', text: 'It is slow.' }] });
  session.append({ role: 'user', kind: 'prompt', text: 'why?' });
  const model = scriptedModel([]);
  const broken = {
    ...model,
    stream: () => {
      throw new Error('down');
    },
  };
  const retry = { attempts: 1, base: 1 };
  const signal = new AbortController().signal;
  expect(await compact({ model: broken, session, keep: 10, room: 1000, retry, signal, emit: () => {} })).toBe(true);
  expect(messagesOf(session.records)).toEqual([
    {
      role: 'user',
      text: [
        '(The earlier conversation was condensed to this.)',
        '# On record',
        '## What the user said\n- make it fast',
        '## Changes and commands, in order\n- bash `npm test`: exit 1',
        '## Looked at\n- grep, 1 call',
        'why?',
      ].join('\n\n'),
    },
  ]);
  expect(factsOf(session.records)).toContain('npm test');
});

test('the estimate learns from what the provider counted', () => {
  const estimate = createEstimator();
  const request = { system: { stable: 'x'.repeat(3600), live: '' }, messages: [], tools: [] };
  expect(estimate.tokens(request)).toBe(1000);
  estimate.learn(request, { input: 1500, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  expect(estimate.tokens(request)).toBe(1500);
});

test('a prompt that alone is longer than the model reads is said to be', async () => {
  const model = { ...scriptedModel([{ text: 'end' }]), contextTokens: 1000 };
  const { events } = await takeTurn(testAgent(model, fakeGate({})), 'x'.repeat(40_000));
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(ofType(events, 'notice').map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The request has about \d+ tokens, the model reads 1000, and nothing more can be left out\.$/,
    ),
  ]);
});

test('the task list stays in the prompt behind a compaction, by hand or of itself', async () => {
  const asked: ModelRequest[] = [];
  const session = memorySession();
  const todos = [{ content: 'mend the parser', status: 'in_progress' as const }];
  session.append({ role: 'user', kind: 'prompt', text: 'go' });
  session.append({ type: 'todo', todos });
  session.append({ role: 'assistant', parts: [{ type: 'text', text: 'x'.repeat(5000) }] });
  const { signal } = new AbortController();
  const script = scriptedModel([]);
  expect(await compact({ model: script, session, signal, emit: () => {}, keep: 0, room: 10_000 })).toBe(true);
  const model = {
    ...script,
    stream: (request: ModelRequest, stop: AbortSignal) => {
      asked.push(request);
      return script.stream(request, stop);
    },
  };
  await takeTurn(testAgent(model, fakeGate({})), 'on', { session });
  expect(asked[0]!.system.live).toBe('# Task list\n[>] mend the parser');
  expect(JSON.stringify(asked[0]!.messages)).not.toContain('xxxx');
});
