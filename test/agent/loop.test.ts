import { expect, test } from 'vitest';
import { runTurn } from '../../src/agent/loop.ts';
import { memorySession } from '../../src/agent/record.ts';
import { reportApprovals } from '../../src/agent/report-approvals.ts';
import { messagesOf } from '../../src/agent/transcript.ts';
import type { ApprovalRequest } from '../../src/gate/approver.ts';
import type { ModelEvent } from '../../src/model/model.ts';
import { openModel } from '../../src/model/providers.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent } from '../support/agent.ts';
import { collectGarbage } from '../support/garbage.ts';
import type { ServerReply } from '../support/model-server.ts';
import { modelServer } from '../support/models.ts';

async function serverAgent(replies: ServerReply[], gate = fakeGate({ read: () => ok('content') })) {
  const server = await modelServer(replies);
  const model = await openModel({ id: 'openai-compatible/test', baseUrl: server.url, env: {} });
  return { server, agent: testAgent(model, gate), gate };
}

test('a turn over HTTP: calls are run, their results go back, the answer ends it', async () => {
  const { server, agent } = await serverAgent([
    { text: 'Looking.', calls: [{ id: 'c1', tool: 'read', arguments: { path: 'a' } }] },
    { text: 'It says content.' },
  ]);
  const { events, done } = await takeTurn(agent, 'what does a say?');
  expect(events.filter((event) => event.type !== 'delta').map((event) => event.type)).toEqual([
    'session',
    'text',
    'usage',
    'tool-start',
    'tool-result',
    'text',
    'usage',
    'done',
  ]);
  expect(done).toMatchObject({ exit: 0, text: 'It says content.', steps: 2, usage: { input: 200, output: 20 } });
  expect(server.requests[1]!.body.messages.slice(1)).toEqual([
    { role: 'user', content: 'what does a say?' },
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'content' },
  ]);
});

test('429, 500, a cut connection, an error event, a stream without end and an empty answer are tried again; no tool runs twice', async () => {
  const call = { calls: [{ id: 'c1', tool: 'read', arguments: {} }] };
  const { server, agent, gate } = await serverAgent([
    { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'slow' } } },
    { ...call, cut: 'middle' },
    { status: 500, body: 'oops' },
    call,
    { ...call, noEnd: true },
    { text: 'half', errorEvent: { type: 'server_error', message: 'sorry' } },
    {},
    { text: 'done' },
  ]);
  const { events, done, session } = await takeTurn(agent);
  expect(done).toMatchObject({ exit: 0, text: 'done', steps: 2 });
  expect(gate.seen).toEqual(['c1']);
  expect(ofType(events, 'notice').map((notice) => notice.code)).toEqual(Array(6).fill('retry'));
  expect(server.requests).toHaveLength(8);
  expect(session.records.filter((record) => 'role' in record && record.role === 'assistant')).toHaveLength(2);
});

test('a fault that waiting does not mend ends the turn with an error and exit 1', async () => {
  const { agent } = await serverAgent([{ status: 401, body: { error: { message: 'no' } } }]);
  const { events, done } = await takeTurn(agent);
  expect(ofType(events, 'error')).toEqual([
    {
      type: 'error',
      code: 'auth',
      text: expect.stringMatching(/^The model provider did not accept the key: HTTP 401/),
    },
  ]);
  expect(done).toMatchObject({ exit: 1, text: '' });
});

test('a fault that never ends is given up after the agreed tries', async () => {
  const { server, agent } = await serverAgent(Array(9).fill({ status: 503, body: 'down' }));
  expect((await takeTurn(agent)).done.exit).toBe(1);
  expect(server.requests).toHaveLength(4);
});

test('malformed arguments and unknown tools go back as results', async () => {
  const { server, agent } = await serverAgent([
    {
      calls: [
        { id: 'a', tool: 'read', arguments: '{"path":' },
        { id: 'b', tool: 'fly', arguments: {} },
      ],
    },
    { text: 'sorry' },
  ]);
  const { events, done } = await takeTurn(agent);
  expect(ofType(events, 'tool-error').map(({ callId, code }) => [callId, code])).toEqual([
    ['a', 'invalid'],
    ['b', 'invalid'],
  ]);
  expect(done.exit).toBe(0);
  const results = server.requests[1]!.body.messages.filter((message: { role: string }) => message.role === 'tool');
  expect(results.map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(['a', 'b']);
});

test('arguments nested without measure go back as a result, and do not keep the next request from going out', async () => {
  const deep = `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const { agent, server } = await serverAgent([
    { calls: [{ id: 'a', tool: 'read', arguments: deep }] },
    { text: 'on' },
  ]);
  const { done } = await takeTurn(agent);
  expect(done).toMatchObject({ exit: 0, text: 'on' });
  expect(server.requests).toHaveLength(2);
});

test('duplicate ids, within a step and across steps, become unique and keep their pairs', async () => {
  const twice = {
    calls: [
      { id: 'x', tool: 'read' },
      { id: 'x', tool: 'read' },
    ],
  };
  const agent = testAgent([twice, twice, { text: 'end' }], fakeGate({ read: (_args, _options, id) => ok(id) }));
  const { session } = await takeTurn(agent);
  const results = messagesOf(session.records).flatMap((message) => (message.role === 'tool' ? message.results : []));
  expect(results.map(({ callId, text }) => [callId, text])).toEqual([
    ['x', 'x'],
    ['x-2', 'x-2'],
    ['x-3', 'x-3'],
    ['x-4', 'x-4'],
  ]);
});

test('reads of a step run at once; a change waits for those before it and those after wait for it', async () => {
  const log: string[] = [];
  const slow = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.push(`${name} ends`);
    return ok(name);
  };
  const gate = fakeGate({ read1: slow('read1'), read2: slow('read2'), write: slow('write'), read3: slow('read3') });
  const calls = ['read1', 'read2', 'write', 'read3'].map((tool) => ({ tool }));
  await takeTurn(testAgent([{ calls }, { text: 'end' }], gate));
  expect(log.slice(0, 2).sort()).toEqual(['read1 begins', 'read2 begins']);
  expect(log.slice(4)).toEqual(['write begins', 'write ends', 'read3 begins', 'read3 ends']);
});

test('a denial is an event of its own, goes back as a result, and shows in the exit code', async () => {
  const gate = fakeGate({ write: () => ({ ok: false, code: 'denied', text: 'denied: secret' }) });
  const { events, done } = await takeTurn(testAgent([{ calls: [{ tool: 'write' }] }, { text: 'I could not.' }], gate));
  expect(ofType(events, 'tool-denied')).toEqual([
    { type: 'tool-denied', callId: 'call-1-1', tool: 'write', text: 'denied: secret' },
  ]);
  expect(done).toMatchObject({ exit: 3, text: 'I could not.' });
});

test('an abort while a tool runs: what ran is known, what had not begun says so, every call has its result', async () => {
  const stop = new AbortController();
  const gate = fakeGate({
    write: () => ok('written'),
    bash: (_args, { signal }) => {
      stop.abort();
      return { ok: false, code: 'interrupted', text: signal.aborted ? 'stopped' : 'not stopped' };
    },
  });
  const calls = [{ tool: 'write' }, { tool: 'bash' }, { tool: 'write' }];
  const { done, session } = await takeTurn(testAgent([{ calls }], gate), 'go', { signal: stop.signal });
  expect(done).toMatchObject({ exit: 130, steps: 1 });
  expect(messagesOf(session.records).at(-1)).toEqual({
    role: 'tool',
    results: [
      { callId: 'call-1-1', tool: 'write', text: 'written', failed: false },
      { callId: 'call-1-2', tool: 'bash', text: 'stopped', failed: true },
      {
        callId: 'call-1-3',
        tool: 'write',
        text: 'The user interrupted the turn before this call was run.',
        failed: true,
      },
    ],
  });
});

test('an abort while the model speaks keeps the text it had said, and no call', async () => {
  const stop = new AbortController();
  const { agent } = await serverAgent([{ text: 'one two three', calls: [{ tool: 'read' }], pause: 20_000 }]);
  const { done, session } = await takeTurn(agent, 'go', {
    signal: stop.signal,
    on: (event) => event.type === 'delta' && event.of === 'text' && event.text === 'ree' && stop.abort(),
  });
  expect(done.exit).toBe(130);
  expect(session.records.find((record) => 'role' in record && record.role === 'assistant')).toMatchObject({
    parts: [{ type: 'text', text: 'one two three' }],
    finish: 'interrupted',
  });
});

test('the step limit ends with a hand-over that the model writes, exit 5', async () => {
  const again = { calls: [{ tool: 'read' }] };
  const agent = testAgent([again, again, { text: 'Done: a. Open: b.' }], fakeGate({ read: () => ok('x') }), {
    limits: { maxSteps: 2 },
  });
  const { done, events } = await takeTurn(agent);
  expect(done).toMatchObject({ exit: 5, text: 'Done: a. Open: b.', steps: 2 });
  expect(ofType(events, 'notice')).toEqual([
    { type: 'notice', code: 'limit', text: 'Stopped at the limit of 2 steps.' },
  ]);
});

test('calls that the model makes in its hand-over are not run', async () => {
  const again = { calls: [{ tool: 'read' }] };
  const gate = fakeGate({ read: () => ok('x') });
  const { done } = await takeTurn(testAgent([again, again], gate, { limits: { maxSteps: 1 } }));
  expect(gate.seen).toHaveLength(1);
  expect(done.text).toMatch(/^Stopped at the limit of 1 step after 1 step;/);
});

test('time and cost limits end with the facts on record', async () => {
  const again = { calls: [{ tool: 'read' }], usage: { input: 1_000_000 } };
  const dear = {
    ...testAgent(Array(9).fill(again), fakeGate({ read: () => ok('x') })).model,
    price: { input: 1, output: 1 },
  };
  const cost = await takeTurn(
    testAgent(dear, fakeGate({ read: () => ok('x') }), { limits: { maxSteps: 50, maxCost: 2 } }),
  );
  expect(cost.done).toMatchObject({ exit: 5, steps: 2, text: expect.stringContaining('the cost limit of $2') });
  const hang = fakeGate({
    read: (_args, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, code: 'interrupted', text: 'stopped' }));
      }),
  });
  const time = await takeTurn(testAgent([again], hang, { limits: { maxSteps: 50, maxTime: 0.05 } }));
  expect(time.done).toMatchObject({ exit: 5, text: expect.stringContaining('the time limit of 0.05 s') });
});

test('the time limit reaches a model that is silent, whatever the garbage collector does meanwhile', async () => {
  const server = await modelServer([{ text: 'half an answer', pause: 60_000 }]);
  const model = await openModel({ id: 'openai-compatible/test', baseUrl: server.url, env: {} });
  const agent = testAgent(model, fakeGate({}), { limits: { maxSteps: 50, maxTime: 0.3 } });
  const collecting = setInterval(collectGarbage, 20);
  const { done } = await takeTurn(agent);
  clearInterval(collecting);
  expect(done).toMatchObject({ exit: 5, text: expect.stringContaining('the time limit of 0.3 s') });
});

test('a pause of hours is not waited for', async () => {
  const { agent, server } = await serverAgent([
    { status: 429, headers: { 'retry-after': '86400' }, body: { error: { message: 'slow' } } },
  ]);
  const { events, done } = await takeTurn(agent);
  expect(ofType(events, 'error').map(({ text }) => text)).toEqual([
    'The model provider is busy: HTTP 429, slow; it asks to wait 1440 minutes.',
  ]);
  expect([done.exit, server.requests.length]).toEqual([1, 1]);
});

test('a script goes on behind a compaction where it was', async () => {
  const session = memorySession();
  const replies = ['one', 'two', 'three'].map((text) => ({ text }));
  await takeTurn(testAgent(replies, fakeGate({})), 'a', { session });
  await takeTurn(testAgent(replies, fakeGate({})), 'b', { session });
  session.append({ type: 'compacted', summary: 'What was.', from: session.records.at(-1)!.id });
  const { done } = await takeTurn(testAgent(replies, fakeGate({})), 'c', { session });
  expect(done.text).toBe('three');
});

test('an answer cut at the output limit is gone on with', async () => {
  const agent = testAgent([{ text: 'first half, ', finish: 'length' }, { text: 'second half' }], fakeGate({}));
  expect((await takeTurn(agent)).done.text).toBe('first half, second half');
});

test('an answer without end is stopped', async () => {
  const model = {
    ...scriptedModel([]),
    async *stream(): AsyncGenerator<ModelEvent> {
      for (;;) yield { type: 'delta', of: 'text', text: 'y'.repeat(1_000_000) };
    },
  };
  const { events, done } = await takeTurn(testAgent(model, fakeGate({})));
  expect(ofType(events, 'error')).toMatchObject([{ text: 'The answer did not end within 8000000 characters.' }]);
  expect(done.exit).toBe(1);
});

test('leaving the iteration early aborts the turn', async () => {
  const agent = testAgent([{ text: 'never', delay: 60_000 }], fakeGate({}));
  for await (const _event of runTurn(agent, memorySession(), 'go', { signal: new AbortController().signal })) break;
});

test('a flood of live output is cut off for those who listen', async () => {
  const gate = fakeGate({
    bash: (_args, { emit }) => {
      for (let at = 0; at < 100; at += 1) emit({ type: 'output', stream: 'stdout', text: 'y'.repeat(65_536) });
      return ok('done');
    },
  });
  const { events } = await takeTurn(testAgent([{ calls: [{ tool: 'bash' }] }, { text: 'end' }], gate));
  const output = ofType(events, 'tool-output');
  expect(output.at(-1)?.text).toBe('\n[more live output is not shown]\n');
  expect(output.length).toBeLessThan(20);
});

test('hundreds of reads in one step run in bounded groups, all with their results', async () => {
  let running = 0;
  let most = 0;
  const gate = fakeGate({
    read: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return ok('x');
    },
  });
  const calls = Array(200).fill({ tool: 'read' });
  const { events } = await takeTurn(testAgent([{ calls }, { text: 'end' }], gate));
  expect([most, ofType(events, 'tool-result').length]).toEqual([16, 200]);
});

test('what asks a person is reported, and what came of it', async () => {
  const gate = fakeGate({
    write: async (_args, { signal }) => {
      await approver.ask({ callId: 'c', tool: 'write', subject: 'a.txt' } as ApprovalRequest, signal);
      return ok('written');
    },
  });
  const agent = testAgent([{ calls: [{ tool: 'write' }] }, { text: 'end' }], gate);
  const approver = reportApprovals({ present: true, ask: async () => ({ type: 'once' }) }, agent.state);
  const { events } = await takeTurn(agent);
  expect(ofType(events, 'approval').map(({ answer }) => answer)).toEqual(['asked', 'once']);
});

test('a session that can not be written ends the turn with an error; nothing is thrown', async () => {
  const session = {
    ...memorySession(),
    append: () => {
      throw new Error('no space left on device');
    },
  };
  const { events, done } = await takeTurn(testAgent([{ text: 'hi' }], fakeGate({})), 'go', { session });
  expect(ofType(events, 'error').map(({ text }) => text)).toEqual([
    'no space left on device',
    'The session could not be written: Error: no space left on device',
  ]);
  expect(done.exit).toBe(1);
});
