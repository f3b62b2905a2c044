import type { ErrorCode } from '../base/error.ts';
import type { ChangeSummary } from '../change/change.ts';
import type { FinishReason, Part, Usage } from '../model/model.ts';
import type { ImageStore } from './images.ts';
import { memoryImages } from './memory-images.ts';
import type { Todo } from './todo.ts';

/**
 * One line of a session. Those with a `role` are the conversation, those with a `type` are what happened around it.
 * `id` counts from 1 within a session; `at` is milliseconds since 1970.
 */
export type SessionRecord = Stamp & NewRecord;

export type NewRecord = UserRecord | AssistantRecord | ResultRecord | EventRecord;

interface Stamp {
  readonly id: number;
  readonly at?: number;
}

export type EventRecord =
  /** The first record of a session of ours. */
  | { readonly type: 'session'; readonly session: string; readonly root: string; readonly from?: string }
  /** Written before a call may have its first effect; a call without one never ran. */
  | { readonly type: 'started'; readonly callId: string; readonly kind?: 'change' | 'action' }
  /** Old results whose text is no longer sent. */
  | { readonly type: 'pruned'; readonly callIds: readonly string[] }
  /** Everything before record `from` is now told by `summary`. */
  | { readonly type: 'compacted'; readonly summary: string; readonly from: number }
  /** What a worker of a `task` call changed, under the worker's own call id. */
  | { readonly type: 'nested'; readonly callId: string; readonly changes: readonly ChangeSummary[] }
  /** The provider refused the images up to here: they are no longer sent. */
  | { readonly type: 'unseen' }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }
  | { readonly type: 'ended'; readonly exit: number };

export interface UserRecord {
  readonly role: 'user';
  readonly text: string;
  readonly kind?: UserKind;
  /** Real path of the workspace; in sessions that are kept. */
  readonly root?: string;
  /** What was shown with the text. */
  readonly images?: readonly StoredImage[];
}

/** An image that a session keeps. */
export interface StoredImage {
  /** As the text names it: a path, or `clipboard-1.png`. */
  readonly name: string;
  /** `image/png` */
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, in hex: the name it is kept by. */
  readonly digest: string;
}

/** Who wrote a user message: the person, or the agent itself (reminders, the request for a hand-over). */
export type UserKind = 'prompt' | 'reminder';

export interface AssistantRecord {
  readonly role: 'assistant';
  readonly parts: readonly Part[];
  readonly usage?: Usage;
  readonly finish?: FinishReason | 'interrupted';
}

export interface ResultRecord {
  readonly role: 'tool';
  readonly callId: string;
  readonly tool: string;
  readonly result: string;
  /** Set when the call did not succeed. */
  readonly code?: ErrorCode;
  readonly changes?: readonly ChangeSummary[];
}

export function isUser(record: SessionRecord): record is Stamp & UserRecord {
  return 'role' in record && record.role === 'user';
}

export function isAssistant(record: SessionRecord): record is Stamp & AssistantRecord {
  return 'role' in record && record.role === 'assistant';
}

export function isResult(record: SessionRecord): record is Stamp & ResultRecord {
  return 'role' in record && record.role === 'tool';
}

export function isEvent<T extends EventRecord['type']>(
  record: SessionRecord,
  type: T,
): record is Stamp & Extract<EventRecord, { type: T }> {
  return 'type' in record && record.type === type;
}

/** The records of one type, in order. */
export function eventsOf<T extends EventRecord['type']>(records: readonly SessionRecord[], type: T) {
  return records.filter((record) => isEvent(record, type));
}

/** The conversation and what surrounds it, growing only at its end. */
export interface Session {
  readonly id: string;
  readonly records: readonly SessionRecord[];
  /** True when calls without a `started` record are known never to have run. False for logs of other origin. */
  readonly marksStarts: boolean;
  readonly images: ImageStore;
  /** Durable before it returns. */
  append(record: NewRecord): SessionRecord;
  close(): void;
}

/** A session that is kept nowhere: subagents, examples, tests. */
export function memorySession(id = 'memory'): Session {
  const records: SessionRecord[] = [];
  return {
    id,
    records,
    marksStarts: true,
    images: memoryImages(),
    append(record) {
      const stored = { id: records.length + 1, at: Date.now(), ...record };
      records.push(stored);
      return stored;
    },
    close: () => {},
  };
}
