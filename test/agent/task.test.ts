import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { type TaskOptions, taskTool } from '../../src/agent/task.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent, toolGate } from '../support/agent.ts';

const task = (args: object): ScriptedReply => ({ calls: [{ tool: 'task', arguments: args }] });
const explore = { description: 'find it', prompt: 'Where is x?' };

/** A parent whose subagents speak their own script; what they were asked is kept. */
function parent(
  replies: ScriptedReply[],
  child: ScriptedReply[],
  options: Partial<TaskOptions> = {},
  changes: Partial<Agent> = {},
) {
  const asked: ModelRequest[] = [];
  const script = scriptedModel(child);
  const model = {
    ...script,
    stream: (request: ModelRequest, signal: AbortSignal) => {
      asked.push(request);
      return script.stream(request, signal);
    },
  };
  const inner = fakeGate({
    read_file: () => ok('x is here'),
    glob: () => ok('a.ts'),
    grep: () => ok('a.ts:1: x'),
    git_log: () => ok('log'),
    write_file: ({ path }) => {
      writeFileSync(join(agent.workspace.root.real, String(path)), 'x');
      return { ok: true, text: 'written', changes: [{ type: 'create', path: String(path), added: 1, removed: 0 }] };
    },
  });
  const tool = taskTool({ workers: false, modelFor: async () => model, ...options });
  const gate = toolGate([tool], { agent: () => agent, also: inner });
  const agent: Agent = testAgent(replies, gate, changes);
  return { agent, asked, inner };
}

test('explore reads with three tools, sees nothing of the conversation and returns one report', async () => {
  const child = [{ calls: [{ tool: 'grep', arguments: { pattern: 'x' } }] }, { text: 'x is in a.ts:1' }];
  const { agent, asked } = parent([task(explore), { text: 'found' }], child);
  const { events } = await takeTurn(agent, 'a secret of the conversation');
  expect(ofType(events, 'tool-result').map(({ text }) => text)).toEqual(['x is in a.ts:1']);
  expect(asked[0]!.tools.map(({ name }) => name)).toEqual(['read_file', 'glob', 'grep']);
  expect(asked[0]!.messages).toEqual([{ role: 'user', text: 'Where is x?' }]);
  expect(JSON.stringify(asked)).not.toContain('a secret');
  expect(ofType(events, 'subagent').map(({ state, text }) => [state, text])).toEqual([
    ['started', ''],
    ['working', 'grep {"pattern":"x"}'],
    ['done', '2 steps'],
  ]);
});

test('a subagent that reads can not be talked into more: other tools do not exist for it', async () => {
  const child = [{ calls: [{ tool: 'write_file', arguments: { path: 'a' } }] }, { text: 'I could not write.' }];
  const { agent, inner } = parent([task({ ...explore, kind: 'review' }), { text: 'end' }], child);
  await takeTurn(agent);
  expect(inner.seen).toEqual([]);
});

test('worker is offered only where agreed', async () => {
  const { agent } = parent([task({ ...explore, kind: 'worker' }), { text: 'end' }], []);
  const { events } = await takeTurn(agent);
  expect(ofType(events, 'tool-error')[0]?.code).toBe('invalid');
});

test('a worker uses its parent’s gate, and what it changed is checked as the parent’s own', async () => {
  const child = [{ calls: [{ tool: 'write_file', arguments: { path: 'w.txt' } }] }, { text: 'wrote it' }];
  const script = [task({ ...explore, kind: 'worker' }), { text: 'end' }];
  const { agent, inner, asked } = parent(script, child, { workers: true });
  const { done } = await takeTurn(agent);
  expect(inner.seen).toEqual(['call-1-1-call-1-1']);
  expect(asked[0]!.tools.map(({ name }) => name)).toEqual(['read_file', 'glob', 'grep', 'git_log', 'write_file']);
  expect(done.receipt.files).toMatchObject([{ path: 'w.txt', state: 'created' }]);
});

test('several explorers run at once', async () => {
  let running = 0;
  let most = 0;
  const slow = scriptedModel([{ text: 'report' }]);
  const model = {
    ...slow,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield* slow.stream(request, signal);
      running -= 1;
    },
  };
  const calls = [1, 2, 3].map(() => ({ tool: 'task', arguments: explore }));
  const { agent } = parent([{ calls }, { text: 'end' }], [], { workers: true, modelFor: async () => model });
  await takeTurn(agent);
  expect(most).toBe(3);
});

test('it is capped at 20 steps and hands over what it has', async () => {
  const child = Array(20).fill({ calls: [{ tool: 'glob' }] });
  const { agent, inner } = parent([task(explore), { text: 'end' }], [...child, { text: 'This far I came.' }]);
  const { events } = await takeTurn(agent);
  expect(inner.seen).toHaveLength(20);
  expect(ofType(events, 'tool-result').at(-1)?.text).toBe('This far I came.');
});

test('tokens and cost of a subagent count for its parent', async () => {
  const child = [{ text: 'report', usage: { input: 500_000, output: 0 } }];
  const model = { ...scriptedModel(child), price: { input: 2, output: 2 } };
  const { agent } = parent([task(explore), { text: 'end' }], [], { modelFor: async () => model });
  expect((await takeTurn(agent)).done).toMatchObject({ cost: 1, steps: 2 });
});

test('a failing subagent is an error result of its call, nothing more', async () => {
  const { agent } = parent([task(explore), { text: 'end' }], [{ fault: { kind: 'auth', message: 'no key' } }]);
  const { events, done } = await takeTurn(agent);
  expect(ofType(events, 'tool-error')).toMatchObject([{ code: 'failed', text: 'The subagent failed: no key' }]);
  expect(done.exit).toBe(0);
});

test('what a subagent was denied counts: the task is unfinished', async () => {
  const child = [{ calls: [{ tool: 'write_file', arguments: { path: 'a.txt' } }] }, { text: 'could not' }];
  const { agent, inner } = parent([task({ ...explore, kind: 'worker' }), { text: 'end' }], child, { workers: true });
  const denying = { ...agent.gate };
  const gate = {
    ...denying,
    call: (request: Parameters<typeof denying.call>[0], options: Parameters<typeof denying.call>[1]) =>
      request.tool === 'write_file'
        ? Promise.resolve({ ok: false as const, code: 'denied' as const, text: 'no' })
        : denying.call(request, options),
  };
  const { done } = await takeTurn({ ...agent, gate });
  expect([done.exit, inner.seen]).toEqual([3, []]);
});

test('a subagent sees the tools that came in meanwhile, as those of a slow MCP server', async () => {
  const child = [{ calls: [{ tool: 'read_file', arguments: {} }] }, { text: 'seen' }];
  const { agent, asked } = parent([task({ ...explore, kind: 'worker' }), { text: 'end' }], child, { workers: true });
  const late = { name: 'mcp__late__find', description: 'Finds.', input: { type: 'object' }, readOnly: false };
  const gate = {
    ...agent.gate,
    definitions: () => (asked.length === 0 ? agent.gate.definitions() : [...agent.gate.definitions(), late]),
  };
  await takeTurn({ ...agent, gate });
  expect(asked.map(({ tools }) => tools.some(({ name }) => name === late.name))).toEqual([false, true]);
});

test('a limit of money holds for a subagent with a model of its own, or it does not start', async () => {
  const own = { ...scriptedModel([{ text: 'free' }]), id: 'openai/own', price: undefined };
  const { price: _, ...priceless } = own;
  const { agent } = parent([task(explore), { text: 'end' }], [], { modelFor: async () => priceless });
  const { events } = await takeTurn({ ...agent, limits: { maxSteps: 9, maxCost: 1 } });
  expect(ofType(events, 'tool-error').map(({ text }) => text)).toEqual([
    'The limit of money needs a price for openai/own: add it under "prices", or drop the limit.',
  ]);
});
