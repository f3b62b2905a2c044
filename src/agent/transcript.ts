import type { CallPart, CallResult, Message, Part } from '../model/model.ts';
import { type Sight, showImages } from './images.ts';
import {
  type AssistantRecord,
  eventsOf,
  isAssistant,
  isResult,
  isUser,
  type ResultRecord,
  type SessionRecord,
} from './record.ts';

/** For who looks at texts alone. */
const noSight: Sight = { store: { get: () => undefined } };

/** Told of a call whose end nobody saw. */
export const unknownEnd =
  'interrupted: this call was running when the session ended. Its effects are unknown; look before you repeat it.';

/** Told of a call that an abort came before. */
export const notRun = 'The user interrupted the turn before this call was run.';
export const notRunInTime = 'The time limit ended the turn before this call was run.';

/**
 * The conversation as a model takes it. Every call is followed at once by exactly one result, whatever the log lacks:
 * a call without a result gets one that says so. Pruned results keep a line, compacted records their summary, and
 * images that are not sent their name.
 */
export function messagesOf(records: readonly SessionRecord[], sight: Sight = noSight): Message[] {
  const compacted = eventsOf(records, 'compacted').at(-1);
  const from = compacted?.from ?? 0;
  const shown = resultsOf(records);
  const shownIn = showImages(records, sight);
  const messages: Message[] = [];
  if (compacted !== undefined) messages.push({ role: 'user', text: compacted.summary });
  for (const record of records) {
    if (record.id < from) continue;
    if (isUser(record)) addUser(messages, record.text, shownIn(record));
    else if (isAssistant(record)) addAssistant(messages, record, shown);
  }
  return messages;
}

/** The calls that have no result yet, in order. */
export function openCalls(records: readonly SessionRecord[]): CallPart[] {
  const answered = new Set(records.filter(isResult).map((record) => record.callId));
  return records
    .filter(isAssistant)
    .flatMap((record) => callsOf(record.parts))
    .filter((call) => !answered.has(call.callId));
}

export function callsOf(parts: readonly Part[]): CallPart[] {
  return parts.filter((part) => part.type === 'call');
}

export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n');
}

/** What stands for a result whose text is no longer sent: it still says that the call ran and how it went. */
export function prunedLine(record: ResultRecord): string {
  const outcome = record.code === undefined ? 'succeeded' : `failed (${record.code})`;
  const changed = (record.changes ?? []).map((change) => `${change.type} ${change.to ?? change.path}`).join(', ');
  const effect = changed === '' ? '' : ` Changed: ${changed}.`;
  return `[${record.tool} ran and ${outcome}; its ${record.result.length} characters were dropped to save room.${effect}]`;
}

function resultsOf(records: readonly SessionRecord[]): Map<string, CallResult> {
  const pruned = new Set(eventsOf(records, 'pruned').flatMap(({ callIds }) => callIds));
  const results = new Map<string, CallResult>();
  for (const record of records.filter(isResult)) {
    if (results.has(record.callId)) continue;
    const text = pruned.has(record.callId) ? prunedLine(record) : record.result;
    results.set(record.callId, { callId: record.callId, tool: record.tool, text, failed: record.code !== undefined });
  }
  return results;
}

/** Providers want user and assistant to take turns; what the agent adds joins the message before it. */
function addUser(
  messages: Message[],
  said: string,
  { images, lines }: ReturnType<ReturnType<typeof showImages>>,
): void {
  const last = messages.at(-1);
  const before = last?.role === 'user' ? last : undefined;
  const text = [...(before === undefined ? [] : [before.text]), said, ...lines].join('\n\n');
  const all = [...(before?.images ?? []), ...images];
  if (before !== undefined) messages.pop();
  messages.push({ role: 'user', text, ...(all.length === 0 ? {} : { images: all }) });
}

function addAssistant(messages: Message[], record: AssistantRecord, results: Map<string, CallResult>): void {
  if (record.parts.length === 0) return;
  messages.push({ role: 'assistant', parts: record.parts });
  const calls = callsOf(record.parts);
  if (calls.length > 0) messages.push({ role: 'tool', results: calls.map((call) => resultFor(call, results)) });
}

function resultFor({ callId, tool }: CallPart, results: Map<string, CallResult>): CallResult {
  return results.get(callId) ?? { callId, tool, text: unknownEnd, failed: true };
}
