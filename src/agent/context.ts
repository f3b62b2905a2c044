import type { ModelRequest } from '../model/model.ts';
import { compact } from './compact.ts';
import { droppable } from './prune.ts';
import type { Turn } from './turn.ts';

/** Shares of the room for a request: where dropping results begins, where compaction does, and what each keeps. */
const pruneAt = 0.7;
const compactAt = 0.85;
const keepResults = 0.25;
const keepTail = 0.2;

/**
 * Makes the next request fit: first the text of old results goes, then the older conversation is condensed. Returns the
 * request as it then is.
 */
export async function fitContext(turn: Turn, build: () => ModelRequest): Promise<ModelRequest> {
  const room = roomFor(turn);
  const request = build();
  const before = turn.estimate.tokens(request);
  if (before <= room * pruneAt) return request;
  prune(turn, room);
  const pruned = build();
  const size = turn.estimate.tokens(pruned);
  if (size <= room * compactAt) return pruned;
  return condense(turn, build, room, size);
}

/** After the provider found a request too long: the room is what was sent, less a third. */
export function learnLimit(turn: Turn, request: ModelRequest): void {
  turn.room = Math.floor(turn.estimate.tokens(request) * 0.65);
}

function roomFor({ agent, room }: Turn): number {
  const { contextTokens } = agent.model;
  const answer = Math.min(16_000, contextTokens * 0.2);
  return Math.min(room ?? Number.POSITIVE_INFINITY, contextTokens - answer);
}

async function condense(turn: Turn, build: () => ModelRequest, room: number, before: number): Promise<ModelRequest> {
  const { agent, session, signal, emit } = turn;
  const characters = room * charactersIn(turn);
  const options = { model: agent.model, session, signal, emit, retry: agent.retry };
  const done = await compact({ ...options, keep: characters * keepTail, room: characters * 0.6 });
  if (!done) prune(turn, 0);
  const request = build();
  const after = turn.estimate.tokens(request);
  if (after < before) emit({ type: 'compacted', before, after });
  else if (after > agent.model.contextTokens) emit({ type: 'notice', code: 'context', text: cramped(after, turn) });
  return request;
}

function cramped(tokens: number, { agent }: Turn): string {
  return `The request has about ${tokens} tokens, the model reads ${agent.model.contextTokens}, and nothing more can be left out.`;
}

function prune(turn: Turn, room: number): void {
  const old = droppable(turn.session.records, room * keepResults * charactersIn(turn));
  const saved = old.reduce((sum, { result }) => sum + result.length, 0);
  if (turn.estimate.ofText(' '.repeat(Math.min(saved, 1_000_000))) < room * 0.05 || old.length === 0) return;
  turn.session.append({ type: 'pruned', callIds: old.map(({ callId }) => callId) });
  turn.emit({ type: 'notice', code: 'context', text: `The text of ${old.length} old results is no longer sent.` });
}

function charactersIn(turn: Turn): number {
  return 1000 / turn.estimate.ofText(' '.repeat(1000));
}
