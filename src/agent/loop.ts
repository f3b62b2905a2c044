import { joinSignals } from '../base/join-signals.ts';
import { ModelError } from '../model/error.ts';
import type { Agent, TurnContext } from './agent.ts';
import { runBatch } from './batch.ts';
import { createChannel } from './channel.ts';
import { objection, receiptOf } from './checks.ts';
import { turnSlot } from './current-turn.ts';
import { type AgentEvent, type DoneEvent, worstExit } from './event.ts';
import { handOver } from './hand-over.ts';
import { nextAnswer } from './next-answer.ts';
import { emptyReceipt, type Receipt } from './receipt.ts';
import { isUser, type Session, type StoredImage } from './record.ts';
import { settleOpenCalls } from './settle.ts';
import { noteTodos, restoreTodos } from './todo.ts';
import { callsOf, textOf } from './transcript.ts';
import { beginTurn, reachedLimit, type Turn } from './turn.ts';

/** What a person says and shows; the images are in the session's store already. */
export interface Prompt {
  readonly text: string;
  readonly images?: readonly StoredImage[];
}

/**
 * One turn: the model is asked and its calls are run until it ends, a limit is reached or the signal fires. Yields every
 * event, `done` last; never throws. Leaving the iteration early aborts the turn.
 *
 * @param prompt what the person says; undefined goes on with an interrupted turn
 */
export async function* runTurn(
  agent: Agent,
  session: Session,
  prompt: string | Prompt | undefined,
  context: TurnContext,
): AsyncGenerator<AgentEvent> {
  const channel = createChannel<AgentEvent>();
  const left = new AbortController();
  const user = joinSignals([context.signal, left.signal]);
  const turn = beginTurn(agent, session, { ...context, signal: user.signal }, (event) => channel.put(event));
  agent.state.get(turnSlot).turn = turn;
  const running = takeTurn(turn, prompt)
    .then((done) => channel.put(done))
    .finally(() => channel.end());
  try {
    yield* channel;
  } finally {
    left.abort();
    await running;
    user.release();
    turn.release();
    agent.state.get(turnSlot).turn = undefined;
  }
}

async function takeTurn(turn: Turn, prompt: string | Prompt | undefined): Promise<DoneEvent> {
  let text = '';
  try {
    turn.emit({
      type: 'session',
      id: turn.session.id,
      model: turn.agent.model.id,
      resumed: turn.session.records.some(isUser),
    });
    restoreTodos(turn);
    await settleOpenCalls(turn);
    if (prompt !== undefined) hear(turn, prompt);
    text = await takeSteps(turn);
  } catch (error) {
    turn.exits.add(1);
    const code = error instanceof ModelError ? error.fault : 'failed';
    turn.emit({ type: 'error', code, text: error instanceof Error ? error.message : String(error) });
  }
  return endTurn(turn, text);
}

function hear({ agent, session }: Turn, prompt: string | Prompt): void {
  agent.gate.personSpoke();
  const { text, images = [] } = typeof prompt === 'string' ? { text: prompt } : prompt;
  session.append({ role: 'user', kind: 'prompt', text, ...(images.length === 0 ? {} : { images }) });
}

/** Steps until the end; returns the final answer. */
async function takeSteps(turn: Turn): Promise<string> {
  for (;;) {
    if (turn.userSignal.aborted) return stopped(turn);
    const limit = reachedLimit(turn);
    if (limit !== undefined) return handOver(turn, limit);
    const answer = await nextAnswer(turn);
    const calls = callsOf(answer.parts);
    if (answer.finish === 'interrupted') continue;
    if (calls.length > 0) {
      await runBatch(calls, turn);
      noteTodos(turn);
      continue;
    }
    const text = turn.cut + textOf(answer.parts);
    const reminder = answer.finish === 'length' ? goOn(turn, text) : await objection(turn, text);
    if (reminder === undefined) return finalText(turn, text);
    turn.session.append({ role: 'user', kind: 'reminder', text: reminder });
    turn.emit({ type: 'notice', code: 'reminder', text: reminder });
  }
}

function stopped(turn: Turn): string {
  turn.exits.add(130);
  turn.emit({ type: 'notice', code: 'interrupted', text: 'Interrupted.' });
  return '';
}

function finalText({ agent }: Turn, text: string): string {
  const verdict = agent.output?.judge(text);
  return verdict !== undefined && 'json' in verdict ? verdict.json : text.trim();
}

const mostCuts = 4;

function goOn(turn: Turn, text: string): string | undefined {
  turn.cuts += 1;
  if (turn.cuts > mostCuts) return undefined;
  turn.cut = text;
  return 'Your answer was cut at the output limit. Go on exactly where it stopped, without repeating anything.';
}

async function endTurn(turn: Turn, text: string): Promise<DoneEvent> {
  const receipt = await receiptOf(turn, text).catch((error) => unwritten(turn, error));
  if (!receipt.verified) turn.exits.add(4);
  const exit = worstExit(turn.exits);
  try {
    turn.session.append({ type: 'ended', exit });
  } catch (error) {
    turn.emit({ type: 'error', code: 'failed', text: `The session could not be written: ${String(error)}` });
  }
  const cost = turn.agent.model.price === undefined ? {} : { cost: turn.cost };
  return { type: 'done', exit, text, steps: turn.steps, usage: turn.usage, ...cost, receipt };
}

function unwritten(turn: Turn, error: unknown): Receipt {
  turn.exits.add(1);
  turn.emit({ type: 'error', code: 'failed', text: `The changed files could not be looked at: ${String(error)}` });
  return { ...emptyReceipt, verified: false };
}
