import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { addUsage, type Model } from '../model/model.ts';
import { createToolState } from '../tool/state.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import type { Agent, Limits } from './agent.ts';
import { turnSlot } from './current-turn.ts';
import type { AgentEvent, DoneEvent } from './event.ts';
import { runTurn } from './loop.ts';
import { narrowGate } from './narrow-gate.ts';
import { memorySession } from './record.ts';
import { type TaskKind, taskKinds } from './task-kind.ts';
import type { Turn } from './turn.ts';

export interface TaskOptions {
  /** Offers `worker` too. */
  readonly workers: boolean;
  /** A model of its own for a kind; undefined takes the parent's. */
  modelFor?(kind: TaskKind): Promise<Model | undefined>;
}

const maxSteps = 20;
const readTools = new Set(['read_file', 'glob', 'grep']);
/** What belongs to the person's own turn. */
const parentOnly = new Set(['task', 'ask', 'todo_write']);

/** `task`: runs a subagent that sees nothing of the conversation and answers with one report. */
export function taskTool(options: TaskOptions): Tool {
  const kinds = options.workers ? taskKinds : (['explore', 'review'] as const);
  const does = 'explore finds and reports, review criticises code by severity; both only read';
  return defineTool({
    name: 'task',
    description: `Run a subagent that sees none of this conversation and returns one report. Default kind: explore. ${does}${options.workers ? '; worker may change and run things' : ''}.`,
    input: z.strictObject({
      description: z.string().describe('short label for the user'),
      prompt: z.string().min(1).describe('self-contained instructions'),
      kind: z.enum(kinds).optional(),
    }),
    readOnly: !options.workers,
    prepare: ({ description, prompt, kind = 'explore' }, { callId, signal, state }) => ({
      effects: [],
      subject: description,
      plan: async () => ({
        type: 'action',
        preview: `${kind}: ${prompt}`,
        run: async () => {
          const { turn } = state.get(turnSlot);
          if (turn === undefined) throw new ToolError('failed', 'task works only within an agent turn.');
          const model = (await options.modelFor?.(kind)) ?? turn.agent.model;
          needPrice(model, turn.agent.limits);
          return runSubagent(turn, { callId, kind, description, prompt, model, signal });
        },
      }),
    }),
  });
}

/** A limit of money that a subagent's own model can't be held to is none. */
function needPrice({ id, price }: Model, { maxCost }: Limits): void {
  if (maxCost === undefined || price !== undefined) return;
  throw new ToolError(
    'invalid',
    `The limit of money needs a price for ${id}: add it under "prices", or drop the limit.`,
  );
}

interface Subagent {
  readonly callId: string;
  readonly kind: TaskKind;
  readonly description: string;
  readonly prompt: string;
  readonly model: Model;
  readonly signal: AbortSignal;
}

async function runSubagent(turn: Turn, task: Subagent): Promise<{ text: string; code?: 'failed' | 'interrupted' }> {
  const tell = (state: 'started' | 'working' | 'done' | 'failed', text: string) =>
    turn.emit({ type: 'subagent', callId: task.callId, kind: task.kind, description: task.description, state, text });
  tell('started', '');
  let done: DoneEvent | undefined;
  let trouble = '';
  const session = memorySession(turn.session.id);
  for await (const event of runTurn(childOf(turn, task), session, task.prompt, { signal: task.signal })) {
    if (event.type === 'tool-start') tell('working', `${event.tool} ${event.arguments}`);
    if (event.type === 'error') trouble = event.text;
    if (event.type === 'tool-denied') turn.exits.add(3);
    if (event.type === 'done') done = event;
    noteChanges(turn, task, event);
  }
  return conclude(turn, done!, trouble, tell);
}

function conclude(
  turn: Turn,
  done: DoneEvent,
  trouble: string,
  tell: (state: 'done' | 'failed', text: string) => void,
): { text: string; code?: 'failed' | 'interrupted' } {
  turn.usage = addUsage(turn.usage, done.usage);
  turn.cost += done.cost ?? 0;
  const failed = done.exit === 1 || done.exit === 130;
  tell(failed ? 'failed' : 'done', failed ? trouble : `${done.steps} steps`);
  if (done.exit === 130) return { code: 'interrupted', text: 'The subagent was interrupted before it reported.' };
  if (failed) return { code: 'failed', text: `The subagent failed: ${trouble || 'it gave no report'}` };
  return { text: done.text };
}

/** What a worker changed belongs to the parent's turn: its finish checks look at it. */
function noteChanges(turn: Turn, { callId }: Subagent, event: AgentEvent): void {
  if (event.type !== 'tool-result' || event.changes.length === 0) return;
  turn.session.append({ type: 'nested', callId: `${callId}-${event.callId}`, changes: event.changes });
}

function childOf(turn: Turn, { callId, kind, model }: Subagent): Agent {
  const { agent } = turn;
  const reading = kind !== 'worker';
  const left = agent.limits.maxCost === undefined ? {} : { maxCost: Math.max(0, agent.limits.maxCost - turn.cost) };
  return {
    model,
    gate: narrowGate(agent.gate, {
      prefix: callId,
      offers: (tool) => (reading ? readTools.has(tool) : !parentOnly.has(tool)),
      unattended: reading,
    }),
    workspace: agent.workspace,
    state: createToolState(),
    instructions: () => ({ ...agent.instructions(), subagent: kind, attended: false, skills: [] }),
    limits: { maxSteps, ...left },
    checks: { diffs: false, claims: false, maxNudges: 0 },
    ...(agent.idle === undefined ? {} : { idle: agent.idle }),
    ...(agent.retry === undefined ? {} : { retry: agent.retry }),
  };
}
