import * as z from 'zod';
import { slot } from '../tool/state.ts';
import { defineTool } from '../tool/tool.ts';
import type { BatchContext } from './batch.ts';
import { eventsOf } from './record.ts';

const todo = z.strictObject({
  content: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'done', 'blocked']),
  note: z.string().optional(),
});

export type Todo = z.infer<typeof todo>;

/** The task list of a session; it lives in the system prompt, so neither pruning nor compaction touches it. */
export const todoSlot = slot<{ todos: readonly Todo[] }>(() => ({ todos: [] }));

export const todoWrite = defineTool({
  name: 'todo_write',
  description:
    'Keep the task list of longer work. Send the whole list each time; it replaces the one before. A blocked task needs a note.',
  input: z.strictObject({ todos: z.array(todo) }),
  readOnly: true,
  prepare: ({ todos }, { state }) => ({
    effects: [],
    subject: `${todos.length} tasks`,
    plan: async () => {
      state.get(todoSlot).todos = todos;
      return { type: 'answer', text: [tally(todos), ...warnings(todos)].join('\n') };
    },
  }),
});

/** Logs and reports a list that has changed since it was last logged. */
export function noteTodos({ agent, session, emit }: BatchContext): void {
  const { todos } = agent.state.get(todoSlot);
  const logged = eventsOf(session.records, 'todo').at(-1)?.todos ?? [];
  if (todos === logged || (todos.length === 0 && logged.length === 0)) return;
  session.append({ type: 'todo', todos });
  emit({ type: 'todo', todos });
}

/** Brings back the list of a session that is gone on with. */
export function restoreTodos({ agent, session }: BatchContext): void {
  const state = agent.state.get(todoSlot);
  const logged = eventsOf(session.records, 'todo').at(-1)?.todos;
  if (logged !== undefined && state.todos.length === 0) state.todos = logged;
}

/** The list as the prompt and a terminal show it. */
export function renderTodos(todos: readonly Todo[]): string {
  return todos.map(({ status, content, note }) => `${marks[status]} ${content}${note ? ` (${note})` : ''}`).join('\n');
}

const marks: Record<Todo['status'], string> = { pending: '[ ]', in_progress: '[>]', done: '[x]', blocked: '[!]' };

function tally(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'done').length;
  return todos.length === 0 ? 'The task list is empty.' : `Task list saved: ${done} of ${todos.length} done.`;
}

function warnings(todos: readonly Todo[]): string[] {
  const active = todos.filter(({ status }) => status === 'in_progress');
  const open = todos.filter(({ status }) => status === 'pending');
  const silent = todos.filter(({ status, note }) => status === 'blocked' && !note?.trim());
  const found: string[] = [];
  if (active.length > 1) found.push(`Warning: ${active.length} tasks are in_progress; work on one at a time.`);
  if (active.length === 0 && open.length > 0) found.push('Warning: no task is in_progress while work remains.');
  for (const { content } of silent) found.push(`Warning: "${content}" is blocked without a note that says by what.`);
  return found;
}
