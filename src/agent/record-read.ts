import { errorCodes } from '../base/error.ts';
import { type LogItem, readLog } from '../base/log-read.ts';
import type { Part } from '../model/model.ts';
import type { SessionRecord, StoredImage } from './record.ts';

export interface LoadedSession {
  readonly records: readonly SessionRecord[];
  /** What was damaged or not understood, in sentences. Everything else was kept. */
  readonly warnings: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads a session log. Besides our own records it takes plain lines of other origin: `{id, role, text}`,
 * `{id, role: "assistant", toolCalls: [{callId, tool, args}]}` and `{id, role: "tool", callId, result}`.
 */
export function loadSession(file: string): LoadedSession {
  const records: SessionRecord[] = [];
  const warnings: string[] = [];
  const tools = new Map<string, string>();
  for (const item of readLog(file)) {
    const record = item.type === 'record' ? understand(item.value, records.length + 1, tools) : undefined;
    if (record !== undefined) records.push(record);
    else warnings.push(problemOf(item));
  }
  return { records, warnings };
}

function problemOf(item: LogItem): string {
  return item.type === 'damage'
    ? item.text
    : `a record that is none of ours was passed over: ${item.line.slice(0, 80)}`;
}

function understand(raw: Raw, position: number, tools: Map<string, string>): SessionRecord | undefined {
  const id = typeof raw.id === 'number' ? raw.id : position;
  switch (raw.role) {
    case 'user':
      return typeof raw.text === 'string' ? ({ ...raw, ...imagesIn(raw), id } as SessionRecord) : undefined;
    case 'assistant':
      return assistant(raw, id, tools);
    case 'tool':
      return result(raw, id, tools);
    default:
      return typeof raw.type === 'string' ? ({ ...raw, id } as SessionRecord) : undefined;
  }
}

/** A digest names a file: nothing else may stand there. */
function imagesIn({ images }: Raw): { images?: readonly StoredImage[] } {
  if (images === undefined) return {};
  const known = (Array.isArray(images) ? (images as Raw[]) : []).filter(
    ({ name, mediaType, size, digest }) =>
      typeof name === 'string' &&
      typeof mediaType === 'string' &&
      typeof size === 'number' &&
      /^[0-9a-f]{64}$/.test(String(digest)),
  );
  return { images: known as unknown as readonly StoredImage[] };
}

function assistant(raw: Raw, id: number, tools: Map<string, string>): SessionRecord | undefined {
  const parts = Array.isArray(raw.parts) ? (raw.parts as Part[]) : plainParts(raw);
  for (const part of parts) if (part.type === 'call') tools.set(part.callId, part.tool);
  const { text: _text, toolCalls: _calls, ...rest } = raw;
  return { ...rest, id, role: 'assistant', parts };
}

function plainParts({ text, toolCalls }: Raw): Part[] {
  const parts: Part[] = typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
  for (const call of Array.isArray(toolCalls) ? (toolCalls as Raw[]) : []) {
    const given = call.args ?? call.arguments ?? {};
    parts.push({
      type: 'call',
      callId: String(call.callId ?? call.id),
      tool: String(call.tool ?? call.name),
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    });
  }
  return parts;
}

function result(raw: Raw, id: number, tools: Map<string, string>): SessionRecord | undefined {
  if (typeof raw.callId !== 'string') return undefined;
  const text = typeof raw.result === 'string' ? raw.result : JSON.stringify(raw.result ?? '');
  const code = errorCodes.find((known) => known === raw.code);
  const tool = typeof raw.tool === 'string' ? raw.tool : (tools.get(raw.callId) ?? 'unknown');
  const { code: _code, ...rest } = raw;
  return { ...rest, ...(code ? { code } : {}), id, role: 'tool', callId: raw.callId, tool, result: text };
}
