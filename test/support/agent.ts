import type { Agent } from '../../src/agent/agent.ts';
import type { AgentEvent, DoneEvent } from '../../src/agent/event.ts';
import type { Gate } from '../../src/agent/gate.ts';
import { runTurn } from '../../src/agent/loop.ts';
import type { PromptParts } from '../../src/agent/prompt.ts';
import { memorySession, type Session } from '../../src/agent/record.ts';
import { asToolError, ToolError } from '../../src/base/error.ts';
import type { CallOptions, OfferedTool, ToolResult } from '../../src/gate/gateway.ts';
import type { Model } from '../../src/model/model.ts';
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.ts';
import { createToolState } from '../../src/tool/state.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from './folders.ts';

type Handler = (
  args: Record<string, unknown>,
  options: Required<Pick<CallOptions, 'signal' | 'emit'>>,
  id: string,
) => Promise<ToolResult> | ToolResult;

/** A gate whose tools are functions; those whose name begins with `read` only read. */
export function fakeGate(tools: Record<string, Handler>): Gate & { readonly seen: string[] } {
  const seen: string[] = [];
  const definitions: OfferedTool[] = Object.keys(tools).map((name) => ({
    name,
    description: `The ${name} tool.`,
    input: { type: 'object' },
    readOnly: name.startsWith('read') || name.startsWith('git'),
  }));
  return {
    seen,
    definitions: () => definitions,
    personSpoke: () => {},
    async call({ id, tool, args }, options = {}) {
      const handler = tools[tool];
      if (handler === undefined) return { ok: false, code: 'invalid', text: `unknown tool "${tool}"` };
      try {
        const parsed = typeof args === 'string' ? JSON.parse(args) : args;
        await options.onStart?.('action');
        seen.push(id);
        const { signal = new AbortController().signal, emit = () => {} } = options;
        return await handler(parsed, { signal, emit }, id);
      } catch (error) {
        const code = error instanceof ToolError ? error.code : 'invalid';
        return { ok: false, code, text: (error as Error).message };
      }
    },
  };
}

export const ok = (text: string): ToolResult => ({ ok: true, text, changes: [] });

export const promptParts: PromptParts = {
  root: '/project',
  git: true,
  platform: 'linux',
  attended: false,
  planOnly: false,
  instructions: [],
  notes: [],
  skills: [],
  extra: [],
};

export function testAgent(model: Model | readonly ScriptedReply[], gate: Gate, changes: Partial<Agent> = {}): Agent {
  return {
    model: 'stream' in model ? model : scriptedModel(model),
    gate,
    workspace: openWorkspace({ root: tempFolder() }),
    state: createToolState(),
    instructions: () => promptParts,
    limits: { maxSteps: 50 },
    checks: { diffs: false, claims: false, maxNudges: 2 },
    retry: { attempts: 4, base: 1 },
    ...changes,
  };
}

export async function takeTurn(
  agent: Agent,
  prompt: string | undefined = 'go',
  options: { session?: Session; signal?: AbortSignal; on?: (event: AgentEvent) => void } = {},
): Promise<{ events: AgentEvent[]; done: DoneEvent; session: Session }> {
  const session = options.session ?? memorySession();
  const events: AgentEvent[] = [];
  const signal = options.signal ?? new AbortController().signal;
  for await (const event of runTurn(agent, session, prompt, { signal })) {
    events.push(event);
    options.on?.(event);
  }
  return { events, done: events.at(-1) as DoneEvent, session };
}

export function ofType<T extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** A gate over real tools, without rules: for tools that answer or run. */
export function toolGate(tools: readonly Tool[], options: { agent: () => Agent; also?: Gate }): Gate {
  const definitions = () => [...tools, ...(options.also?.definitions() ?? [])];
  return {
    definitions,
    personSpoke: () => {},
    async call({ id, tool, args }, io = {}) {
      const found = tools.find(({ name }) => name === tool);
      if (found === undefined) return options.also!.call({ id, tool, args }, io);
      try {
        const { workspace, state } = options.agent();
        const { signal = new AbortController().signal, emit = () => {} } = io;
        const plan = await (await found.prepare(args, { workspace, state, callId: id, signal, emit })).plan();
        if (plan.type === 'answer') return ok(plan.text);
        if (plan.type === 'change') throw new Error('no changes here');
        await io.onStart?.('action');
        const { text, code } = await plan.run();
        return code === undefined ? ok(text) : { ok: false, code, text };
      } catch (error) {
        const { code, message } = asToolError(error);
        return { ok: false, code, text: message };
      }
    },
  };
}
