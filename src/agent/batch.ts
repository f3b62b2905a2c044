import { isTimeOver, joinSignals } from '../base/join-signals.ts';
import type { CallOptions, ToolResult } from '../gate/gateway.ts';
import type { CallPart } from '../model/model.ts';
import type { Agent } from './agent.ts';
import type { AgentEvent } from './event.ts';
import type { Interrupter } from './interrupt.ts';
import { liveOutput } from './live-output.ts';
import type { Session } from './record.ts';
import { isReadingTask } from './task-kind.ts';
import { notRun, notRunInTime } from './transcript.ts';

export interface BatchContext {
  readonly agent: Agent;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly interrupter?: Interrupter | undefined;
  emit(event: AgentEvent): void;
}

/**
 * Runs the calls of one step: neighbours that only read at once, everything else alone and in order. Each call's start and
 * result are in the session before the next thing happens; after an abort those not yet begun get a result that says so.
 */
export async function runBatch(calls: readonly CallPart[], context: BatchContext): Promise<void> {
  for (const group of groupCalls(calls, context.agent)) {
    await Promise.all(group.map((call) => runCall(call, context)));
  }
}

/** Reads that run side by side; more wait, so that a flood of calls does not fill the memory. */
const mostAtOnce = 16;

function groupCalls(calls: readonly CallPart[], agent: Agent): CallPart[][] {
  const reading = readingTools(agent);
  const groups: CallPart[][] = [];
  let together = false;
  for (const call of calls) {
    const mayJoin = reading.has(call.tool) || isReadingTask(call);
    if (mayJoin && together && groups.at(-1)!.length < mostAtOnce) groups.at(-1)!.push(call);
    else groups.push([call]);
    together = mayJoin;
  }
  return groups;
}

async function runCall(call: CallPart, context: BatchContext): Promise<void> {
  const { callId, tool, arguments: args } = call;
  if (context.signal.aborted) {
    const text = isTimeOver(context.signal) ? notRunInTime : notRun;
    return finishCall(call, { ok: false, code: 'interrupted', text }, context);
  }
  context.emit({ type: 'tool-start', callId, tool, arguments: args });
  const stop = new AbortController();
  const joined = joinSignals([context.signal, stop.signal]);
  let forget = () => {};
  const options: CallOptions = {
    signal: joined.signal,
    emit: liveOutput(callId, context.emit),
    onStart: (kind) => {
      if (kind !== 'change') forget = context.interrupter?.watch(() => stop.abort()) ?? forget;
      markStart(call, kind, context);
    },
  };
  const result = await context.agent.gate.call({ id: callId, tool, args }, options).catch(unexpected);
  forget();
  joined.release();
  finishCall(call, result, context);
}

/** Reads may run again after a crash, so only what has an effect needs the mark. */
function markStart(call: CallPart, kind: 'change' | 'action', { agent, session }: BatchContext): void {
  if (readingTools(agent).has(call.tool) || isReadingTask(call)) return;
  session.append({ type: 'started', callId: call.callId, kind });
}

function readingTools(agent: Agent): Set<string> {
  return new Set(agent.gate.definitions().flatMap(({ name, readOnly }) => (readOnly ? [name] : [])));
}

function unexpected(error: unknown): ToolResult {
  return { ok: false, code: 'failed', text: error instanceof Error ? error.message : String(error) };
}

export function finishCall(call: CallPart, result: ToolResult, { session, emit }: BatchContext): void {
  const { callId, tool } = call;
  if (result.ok) {
    session.append({
      role: 'tool',
      callId,
      tool,
      result: result.text,
      ...(result.changes.length > 0 ? { changes: result.changes } : {}),
    });
    emit({ type: 'tool-result', callId, tool, text: result.text, changes: result.changes });
    return;
  }
  session.append({ role: 'tool', callId, tool, result: result.text, code: result.code });
  if (result.code === 'denied') emit({ type: 'tool-denied', callId, tool, text: result.text });
  else emit({ type: 'tool-error', callId, tool, code: result.code, text: result.text });
}
