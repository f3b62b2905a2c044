import type { CallPart } from '../model/model.ts';
import type { Progress } from '../tool/tool.ts';
import type { Agent } from './agent.ts';
import type { AgentEvent } from './event.ts';
import type { ToolResult } from './gate.ts';
import type { Session } from './record.ts';
import { notRun } from './transcript.ts';

export interface BatchContext {
  readonly agent: Agent;
  readonly session: Session;
  readonly signal: AbortSignal;
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

function groupCalls(calls: readonly CallPart[], agent: Agent): CallPart[][] {
  const readOnly = new Set(agent.gate.definitions().flatMap((tool) => (tool.readOnly ? [tool.name] : [])));
  const groups: CallPart[][] = [];
  let together = false;
  for (const call of calls) {
    const mayJoin = readOnly.has(call.tool);
    if (mayJoin && together) groups.at(-1)!.push(call);
    else groups.push([call]);
    together = mayJoin;
  }
  return groups;
}

async function runCall(call: CallPart, context: BatchContext): Promise<void> {
  const { agent, signal, emit } = context;
  if (signal.aborted) return finishCall(call, { ok: false, code: 'interrupted', text: notRun }, context);
  emit({ type: 'tool-start', callId: call.callId, tool: call.tool, arguments: call.arguments });
  const result = await agent.gate
    .call(
      { id: call.callId, tool: call.tool, args: call.arguments },
      {
        signal,
        emit: (progress) => emit(outputOf(call, progress)),
        onStart: (kind) => markStart(call, kind, context),
      },
    )
    .catch(unexpected);
  finishCall(call, result, context);
}

/** Reads may run again after a crash, so only what has an effect needs the mark. */
function markStart(
  { callId, tool }: CallPart,
  kind: 'change' | 'action' | undefined,
  { agent, session }: BatchContext,
): void {
  if (agent.gate.definitions().some(({ name, readOnly }) => name === tool && readOnly)) return;
  session.append({ type: 'started', callId, ...(kind === undefined ? {} : { kind }) });
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

function outputOf({ callId }: CallPart, progress: Progress): AgentEvent {
  return {
    type: 'tool-output',
    callId,
    stream: progress.type === 'output' ? progress.stream : 'status',
    text: progress.text,
  };
}
