import type { Model, ModelRequest } from '../model/model.ts';
import type { RetryPolicy } from './agent.ts';
import { askModel } from './ask-model.ts';
import { charactersPerImage } from './estimate.ts';
import type { AgentEvent } from './event.ts';
import { factsOf } from './facts.ts';
import { eventsOf, isAssistant, isResult, isUser, type Session, type SessionRecord } from './record.ts';
import { textOf } from './transcript.ts';

export interface CompactOptions {
  readonly model: Model;
  readonly session: Session;
  /** How many characters of the newest conversation stay as they are. */
  readonly keep: number;
  /** How many characters the summarising request may have. */
  readonly room: number;
  readonly signal: AbortSignal;
  readonly retry?: RetryPolicy | undefined;
  emit(event: AgentEvent): void;
}

/**
 * Replaces all but the newest part of the conversation by a summary: the model's own words on goal, decisions and open work,
 * and the facts on record. Should the model fail, the facts alone. The log keeps everything. False when there is nothing
 * that could be replaced.
 */
export async function compact(options: CompactOptions): Promise<boolean> {
  const { session, keep } = options;
  const from = firstKept(session.records, keep);
  const begin = eventsOf(session.records, 'compacted').at(-1)?.from ?? 0;
  const old = session.records.filter((record) => record.id < from);
  if (!old.some((record) => record.id >= begin && isAssistant(record))) return false;
  const words = await summarize(old, options);
  session.append({ type: 'compacted', summary: assemble(words, factsOf(old)), from });
  return true;
}

/** The record with which the kept part begins: an answer, so that no call is parted from its result. */
function firstKept(records: readonly SessionRecord[], keep: number): number {
  let room = keep;
  let from = (records.at(-1)?.id ?? 0) + 1;
  for (const record of records.toReversed()) {
    room -= sizeOf(record);
    if (room < 0) break;
    if (isAssistant(record) || isUser(record)) from = record.id;
  }
  return from;
}

function sizeOf(record: SessionRecord): number {
  if (isUser(record)) return record.text.length + (record.images?.length ?? 0) * charactersPerImage;
  if (isResult(record)) return record.result.length;
  return isAssistant(record) ? JSON.stringify(record.parts).length : 0;
}

function assemble(words: string, facts: string): string {
  const told = words === '' ? [] : ['# Summary', words];
  return ['(The earlier conversation was condensed to this.)', ...told, '# On record', facts].join('\n\n');
}

const instruction = `Condense the conversation below for the one who goes on with it. Keep, in this order, what holds of: the goal and the user's wishes word for word where they matter; files that matter and what was learned of them; decisions and why; what was changed; commands and their outcomes; what is open and the next step. Plain short sentences, no preface.`;

async function summarize(records: readonly SessionRecord[], options: CompactOptions): Promise<string> {
  const { model, signal, retry } = options;
  const request: ModelRequest = {
    purpose: 'summary',
    system: { stable: instruction, live: '' },
    messages: [{ role: 'user', text: transcript(records, options.room) }],
    tools: [],
  };
  const emit = (event: AgentEvent) => (event.type === 'notice' ? options.emit(event) : undefined);
  try {
    return textOf((await askModel(model, request, signal, emit, retry)).parts).trim();
  } catch {
    return '';
  }
}

/** The conversation as text of at most `room` characters; of long pieces the beginning, of a long whole both ends. */
function transcript(records: readonly SessionRecord[], room: number): string {
  const begin = eventsOf(records, 'compacted').at(-1);
  const lines = records.filter((record) => record.id >= (begin?.from ?? 0)).flatMap(lineOf);
  const text = [...(begin === undefined ? [] : [begin.summary]), ...lines].join('\n');
  if (text.length <= room) return text;
  const half = Math.floor(room / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}

function lineOf(record: SessionRecord): string[] {
  if (isUser(record)) return [`USER: ${record.text.slice(0, 4000)}`];
  if (isResult(record))
    return [`RESULT ${record.tool}${record.code ? ` (${record.code})` : ''}: ${record.result.slice(0, 600)}`];
  if (!isAssistant(record)) return [];
  return record.parts.map((part) =>
    part.type === 'call' ? `CALL ${part.tool} ${part.arguments.slice(0, 600)}` : `AGENT: ${part.text.slice(0, 2000)}`,
  );
}
