import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { askTool } from '../../src/agent/ask.ts';
import { createInterrupter } from '../../src/agent/interrupt.ts';
import { runTurn } from '../../src/agent/loop.ts';
import { memorySession } from '../../src/agent/record.ts';
import { todoWrite } from '../../src/agent/todo.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent, toolGate } from '../support/agent.ts';

async function result(tool: Parameters<typeof toolGate>[0][number], args: object): Promise<string> {
  const gate = toolGate([tool], { agent: () => agent });
  const agent: Agent = testAgent([{ calls: [{ tool: tool.name, arguments: args }] }, { text: 'end' }], gate);
  const { events } = await takeTurn(agent);
  return [...ofType(events, 'tool-result'), ...ofType(events, 'tool-error')].map(({ text }) => text).join();
}

test.each([
  [[], 'The task list is empty.'],
  [[{ content: 'a', status: 'in_progress' }], 'Task list saved: 0 of 1 done.'],
  [
    [
      { content: 'a', status: 'in_progress' },
      { content: 'b', status: 'in_progress' },
    ],
    'Task list saved: 0 of 2 done.\nWarning: 2 tasks are in_progress; work on one at a time.',
  ],
  [
    [
      { content: 'a', status: 'done' },
      { content: 'b', status: 'pending' },
    ],
    'Task list saved: 1 of 2 done.\nWarning: no task is in_progress while work remains.',
  ],
  [
    [{ content: 'a', status: 'blocked' }],
    'Task list saved: 0 of 1 done.\nWarning: "a" is blocked without a note that says by what.',
  ],
  [[{ content: 'a', status: 'blocked', note: 'no access' }], 'Task list saved: 0 of 1 done.'],
])('todo_write %j', async (todos, expected) => {
  expect(await result(todoWrite, { todos })).toBe(expected);
});

test('the whole list stands in the prompt of the next step, after what never changes', async () => {
  const asked: ModelRequest[] = [];
  const todos = [
    { content: 'look', status: 'done' },
    { content: 'mend', status: 'in_progress', note: 'src/a.ts' },
  ];
  const script = scriptedModel([{ calls: [{ tool: 'todo_write', arguments: { todos } }] }, { text: 'end' }]);
  const model = {
    ...script,
    stream: (request: ModelRequest, signal: AbortSignal) => {
      asked.push(request);
      return script.stream(request, signal);
    },
  };
  const gate = toolGate([todoWrite], { agent: () => agent });
  const agent: Agent = testAgent(model, gate);
  const { events } = await takeTurn(agent);
  expect(asked.map(({ system }) => system.live)).toEqual(['', '# Task list\n[x] look\n[>] mend (src/a.ts)']);
  expect(asked[0]!.system.stable).toBe(asked[1]!.system.stable);
  expect(ofType(events, 'todo')).toEqual([{ type: 'todo', todos }]);
});

test('ask gives the answers back; a dismissal is an instruction to decide', async () => {
  const asked: unknown[] = [];
  const asker = askTool(async (question) => {
    asked.push(question);
    return ['red', 'blue'];
  });
  const args = { question: 'Which?', options: [{ label: 'red', detail: 'warm' }, { label: 'blue' }], multiple: true };
  expect(await result(asker, args)).toBe('red\nblue');
  expect(asked).toEqual([args]);
  const dismissed = askTool(async () => undefined);
  expect(await result(dismissed, { question: 'Which?' })).toBe('the user dismissed this; use your best judgement');
});

test('ctrl-c stops the command, not the turn', async () => {
  const interrupter = createInterrupter();
  expect(interrupter.interrupt()).toBe(false);
  const gate = fakeGate({
    bash: (_args, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, code: 'interrupted', text: 'stopped' }));
        queueMicrotask(() => expect(interrupter.interrupt()).toBe(true));
      }),
    write: () => ok('written'),
  });
  const agent = testAgent([{ calls: [{ tool: 'bash' }, { tool: 'write' }] }, { text: 'on I went' }], gate);
  const events = [];
  const signal = new AbortController().signal;
  for await (const event of runTurn(agent, memorySession(), 'go', { signal, interrupter })) events.push(event);
  expect(ofType(events, 'tool-error')).toMatchObject([{ code: 'interrupted', text: 'stopped' }]);
  expect(ofType(events, 'tool-result')).toMatchObject([{ text: 'written' }]);
  expect(events.at(-1)).toMatchObject({ exit: 0, text: 'on I went' });
  expect(interrupter.interrupt()).toBe(false);
});
