import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from '../model/error.ts';
import type { FinishReason, Model, ModelRequest, Part, Usage } from '../model/model.ts';
import type { RetryPolicy } from './agent.ts';
import type { AgentEvent } from './event.ts';

/** A whole answer of the model: nothing of it is acted on before its end has come. */
export interface ModelAnswer {
  readonly parts: readonly Part[];
  readonly finish: FinishReason | 'interrupted';
  readonly usage?: Usage;
}

const defaultRetry: RetryPolicy = { attempts: 6, base: 1000 };
const longestBackOff = 60_000;
/** A provider that asks for a longer pause is not waited for. */
const longestWait = 300_000;
/** Characters of one answer; a model that goes on beyond is stopped, since everything of it is held in memory. */
const longestAnswer = 8_000_000;

/**
 * Asks the model once, with retries. A try that fails is thrown away whole and asked anew, so no call of it was ever run.
 * On abort the finished text so far comes back as `interrupted`. Throws `ModelError` when trying is of no more use.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  emit: (event: AgentEvent) => void,
  retry: RetryPolicy = defaultRetry,
): Promise<ModelAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readAnswer(model, request, signal, emit);
    } catch (error) {
      if (signal.aborted) return { parts: [], finish: 'interrupted' };
      const fault = error instanceof ModelError ? error : new ModelError('garbled', String(error), { cause: error });
      if (!fault.worthRetrying || attempt >= retry.attempts) throw fault;
      if ((fault.retryAfterMs ?? 0) > longestWait) throw tooLongAWait(fault);
      const wait = waitFor(fault, attempt, retry);
      emit({
        type: 'notice',
        code: 'retry',
        text: `${asSentence(fault.message)} Trying again in ${(wait / 1000).toFixed(1)} s.`,
      });
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  }
}

async function readAnswer(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  emit: (event: AgentEvent) => void,
): Promise<ModelAnswer> {
  signal.throwIfAborted();
  const parts: Part[] = [];
  let open = '';
  let size = 0;
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'delta') {
        size += event.text.length;
        if (size > longestAnswer)
          throw new ModelError('output', `The answer did not end within ${longestAnswer} characters.`);
        if (event.of === 'text') open += event.text;
        emit(event);
      } else if (event.type === 'part') {
        if (event.part.type === 'text') open = '';
        parts.push(event.part);
      } else return answerOf(parts, event.reason, event.usage);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { parts: spoken(parts, open), finish: 'interrupted' };
  }
  throw new ModelError('garbled', 'The answer stopped before its end.');
}

/** An answer with nothing in it is a fault like any other: asking again usually helps. */
function answerOf(parts: readonly Part[], finish: FinishReason, usage: Usage): ModelAnswer {
  const said = parts.some((part) => part.type === 'call' || (part.type === 'text' && part.text.trim() !== ''));
  if (finish === 'refused') throw new ModelError('refused', 'The model provider stopped the answer (content filter).');
  if (!said && finish !== 'length') throw new ModelError('garbled', 'The model gave an empty answer.');
  return { parts, finish, usage };
}

/** What may stay of an answer that was stopped: its text. Calls in it were not complete, reasoning can't be sent back. */
function spoken(parts: readonly Part[], open: string): Part[] {
  const texts = parts.filter((part) => part.type === 'text');
  return open.trim() === '' ? texts : [...texts, { type: 'text', text: open }];
}

function waitFor(fault: ModelError, attempt: number, retry: RetryPolicy): number {
  const backOff = retry.base * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.max(Math.min(longestBackOff, backOff), fault.retryAfterMs ?? 0);
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function tooLongAWait(fault: ModelError): ModelError {
  const minutes = Math.ceil((fault.retryAfterMs ?? 0) / 60_000);
  return new ModelError(fault.fault, `${fault.message}; it asks to wait ${minutes} minutes.`, { cause: fault });
}
