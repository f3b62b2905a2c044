import { isTimeOver, joinSignals } from '../base/join-signals.ts';
import { addUsage, costOf, noUsage, type Usage } from '../model/model.ts';
import type { Agent, TurnContext } from './agent.ts';
import type { ModelAnswer } from './ask-model.ts';
import type { BatchContext } from './batch.ts';
import { createEstimator, type Estimator } from './estimate.ts';
import type { AgentEvent, ExitCode } from './event.ts';
import { isAssistant, type Session } from './record.ts';

/** A turn under way: what it works with and what has added up so far. */
export interface Turn extends BatchContext {
  /** The person's own stop; `signal` also fires at the time limit. */
  readonly userSignal: AbortSignal;
  /** Ends the watch on signals and time. */
  release(): void;
  readonly began: number;
  readonly callIds: Set<string>;
  steps: number;
  usage: Usage;
  cost: number;
  /** Reminders given by the finish checks. */
  nudges: number;
  /** How often an answer was cut at the output limit. */
  cuts: number;
  /** Text of answers that were cut at the output limit and go on. */
  cut: string;
  readonly exits: Set<ExitCode>;
  readonly estimate: Estimator;
  /** Tokens that fit, once the provider has refused a request as too long. */
  room: number | undefined;
}

export function beginTurn(
  agent: Agent,
  session: Session,
  { signal: userSignal, interrupter }: TurnContext,
  put: (event: AgentEvent) => void,
): Turn {
  const { maxTime } = agent.limits;
  const limited = joinSignals([userSignal], maxTime === undefined ? undefined : maxTime * 1000);
  const exits = new Set<ExitCode>();
  return {
    agent,
    session,
    userSignal,
    interrupter,
    signal: limited.signal,
    release: limited.release,
    emit(event) {
      if (event.type === 'tool-denied') exits.add(3);
      put(event);
    },
    began: performance.now(),
    callIds: new Set(session.records.flatMap(idsIn)),
    steps: 0,
    usage: noUsage,
    cost: 0,
    nudges: 0,
    cuts: 0,
    cut: '',
    exits,
    estimate: createEstimator(),
    room: undefined,
  };
}

/** Adds an answer's tokens and cost to the turn and reports them. */
export function countUsage(turn: Turn, { usage }: ModelAnswer): void {
  if (usage === undefined) return;
  const { price } = turn.agent.model;
  turn.usage = addUsage(turn.usage, usage);
  const cost = price === undefined ? undefined : costOf(usage, price);
  turn.cost += cost ?? 0;
  turn.emit({ type: 'usage', step: turn.steps, usage, ...(cost === undefined ? {} : { cost }) });
}

/** The limit that stands in the way of another step, in words; undefined when there is none. */
export function reachedLimit({ agent, signal, steps, cost, began }: Turn): string | undefined {
  const { maxSteps, maxTime, maxCost } = agent.limits;
  if (steps >= maxSteps) return `the limit of ${maxSteps} ${maxSteps === 1 ? 'step' : 'steps'}`;
  // The timer may fire a moment before the clock says so.
  const isLate = maxTime !== undefined && (isTimeOver(signal) || performance.now() - began >= maxTime * 1000);
  if (isLate) return `the time limit of ${maxTime} s`;
  if (maxCost !== undefined && cost >= maxCost) return `the cost limit of $${maxCost}`;
  return undefined;
}

function idsIn(record: Session['records'][number]): string[] {
  if (!isAssistant(record)) return [];
  return record.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
}
