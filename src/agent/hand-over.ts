import { finishCall } from './batch.ts';
import { receiptOf } from './checks.ts';
import { nextAnswer } from './next-answer.ts';
import { renderReceipt } from './receipt.ts';
import { renderTodos, todoSlot } from './todo.ts';
import { callsOf, textOf } from './transcript.ts';
import type { Turn } from './turn.ts';

/**
 * Ends a turn at a limit with a written hand-over. At the step limit the model writes it, without tools; where that would
 * cost the very time or money that is gone, or fails, the facts on record are put together.
 */
export async function handOver(turn: Turn, limit: string): Promise<string> {
  turn.exits.add(5);
  turn.emit({ type: 'notice', code: 'limit', text: `Stopped at ${limit}.` });
  const written = turn.steps >= turn.agent.limits.maxSteps && !turn.signal.aborted ? await ask(turn, limit) : '';
  return written === '' ? compose(turn, limit) : written;
}

async function ask(turn: Turn, limit: string): Promise<string> {
  const text = `Stopped: ${limit} is reached, no further call will be run. Write a hand-over for whoever goes on: what was asked, what is done (files, commands and their outcome), what is open, and the next step.`;
  turn.session.append({ role: 'user', kind: 'reminder', text });
  try {
    const answer = await nextAnswer(turn);
    turn.steps -= 1;
    for (const call of callsOf(answer.parts)) {
      finishCall(call, { ok: false, code: 'interrupted', text: `Not run: ${limit} is reached.` }, turn);
    }
    return textOf(answer.parts).trim();
  } catch {
    return '';
  }
}

async function compose(turn: Turn, limit: string): Promise<string> {
  const todos = turn.agent.state.get(todoSlot).todos;
  const facts = [
    `Stopped at ${limit} after ${turn.steps} ${turn.steps === 1 ? 'step' : 'steps'}; the work may be unfinished.`,
    renderReceipt(await receiptOf(turn, '')),
    todos.length === 0 ? '' : `Task list:\n${renderTodos(todos)}`,
    'Go on with `benchdog --continue`.',
  ];
  return facts.filter((fact) => fact !== '').join('\n\n');
}
