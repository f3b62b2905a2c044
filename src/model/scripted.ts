import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError, type ModelFault } from './error.ts';
import type { Model, ModelEvent, ModelRequest, Part, Usage } from './model.ts';

/**
 * One fixed reply. `calls[].arguments` may be a value or raw JSON text (to script broken JSON).
 * `fault` makes the model fail instead, once; the next try gets the next reply.
 */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments?: unknown; readonly id?: string }[];
  readonly usage?: Partial<Usage>;
  readonly finish?: 'length' | 'refused';
  readonly fault?: { readonly kind: ModelFault; readonly message?: string };
  /** Milliseconds before the reply begins. */
  readonly delay?: number;
}

/**
 * A model that gives fixed replies in order: for tests, demos and work without a network. The reply is chosen by how many
 * answers the conversation already holds, so a resumed session goes on where it stopped.
 *
 * @param replies the script; behind its end the model says so and stops
 */
export function scriptedModel(replies: readonly ScriptedReply[], id = 'scripted/script'): Model {
  let failures = 0;
  return {
    id,
    contextTokens: 200_000,
    price: { input: 0, output: 0 },
    async *stream(request, signal) {
      if (request.purpose === 'summary') return yield* play({ text: 'A summary.' }, 0, request);
      const at = answersIn(request) + failures;
      const reply = replies[at] ?? { text: 'The script has no further reply.' };
      if (reply.delay !== undefined) await sleep(reply.delay, undefined, { signal });
      if (reply.fault !== undefined) {
        failures += 1;
        throw new ModelError(reply.fault.kind, reply.fault.message ?? `scripted fault: ${reply.fault.kind}`);
      }
      yield* play(reply, at, request);
    },
  };
}

function answersIn(request: ModelRequest): number {
  return request.answers ?? request.messages.filter((message) => message.role === 'assistant').length;
}

function* play(reply: ScriptedReply, at: number, request: ModelRequest): Generator<ModelEvent> {
  for (const part of partsOf(reply, at)) {
    if (part.type === 'call') yield { type: 'delta', of: 'arguments', tool: part.tool, text: part.arguments };
    else yield { type: 'delta', of: part.type, text: part.text };
    yield { type: 'part', part };
  }
  const usage = { input: roughTokens(request), output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...reply.usage };
  const calls = reply.calls !== undefined && reply.calls.length > 0;
  yield { type: 'finish', reason: reply.finish ?? (calls ? 'calls' : 'stop'), usage };
}

function partsOf(reply: ScriptedReply, at: number): Part[] {
  const parts: Part[] = [];
  if (reply.reasoning !== undefined) parts.push({ type: 'reasoning', text: reply.reasoning });
  if (reply.text !== undefined) parts.push({ type: 'text', text: reply.text });
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const given = call.arguments ?? {};
    parts.push({
      type: 'call',
      callId: call.id ?? `call-${at + 1}-${index + 1}`,
      tool: call.tool,
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    });
  }
  return parts;
}

function roughTokens(request: ModelRequest): number {
  const { system, messages, tools } = request;
  const withoutImages = (key: string, value: unknown) => (key === 'images' ? undefined : value);
  return Math.ceil(JSON.stringify([system, messages, tools], withoutImages).length / 3.6);
}
