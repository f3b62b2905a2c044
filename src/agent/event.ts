import type { ErrorCode } from '../base/error.ts';
import type { ChangeSummary } from '../change/change.ts';
import type { Usage } from '../model/model.ts';
import type { Receipt } from './receipt.ts';
import type { Todo } from './todo.ts';

/**
 * Everything that happens in a turn, in order: all that a user interface needs. `delta` is for live views only; what it
 * streamed comes again whole as `text` or `reasoning`, or is void when a `notice` of code `retry` follows.
 */
export type AgentEvent =
  | { readonly type: 'session'; readonly id: string; readonly model: string; readonly resumed: boolean }
  | { readonly type: 'delta'; readonly of: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'delta'; readonly of: 'arguments'; readonly tool: string; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-start'; readonly callId: string; readonly tool: string; readonly arguments: string }
  | {
      readonly type: 'tool-output';
      readonly callId: string;
      readonly stream: 'stdout' | 'stderr' | 'status';
      readonly text: string;
    }
  | {
      readonly type: 'tool-result';
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly changes: readonly ChangeSummary[];
    }
  | {
      readonly type: 'tool-error';
      readonly callId: string;
      readonly tool: string;
      readonly code: ErrorCode;
      readonly text: string;
    }
  | { readonly type: 'tool-denied'; readonly callId: string; readonly tool: string; readonly text: string }
  | {
      readonly type: 'approval';
      readonly callId: string;
      readonly tool: string;
      readonly subject: string;
      /** `asked` when a person is being asked; else what came of it. */
      readonly answer: 'asked' | 'once' | 'always' | 'no' | 'changed' | 'rehearse';
    }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }
  | {
      readonly type: 'subagent';
      readonly callId: string;
      readonly kind: string;
      readonly description: string;
      readonly state: 'started' | 'working' | 'done' | 'failed';
      readonly text: string;
    }
  | { readonly type: 'compacted'; readonly before: number; readonly after: number }
  | { readonly type: 'notice'; readonly code: NoticeCode; readonly text: string }
  | { readonly type: 'usage'; readonly step: number; readonly usage: Usage; readonly cost?: number }
  | { readonly type: 'error'; readonly code: string; readonly text: string }
  | DoneEvent;

/** Why the agent speaks up on its own: a retry, a reminder to verify, something repaired or left out. */
export type NoticeCode =
  | 'retry'
  | 'reminder'
  | 'limit'
  | 'repaired'
  | 'context'
  | 'cut'
  | 'output'
  | 'images'
  | 'interrupted';

/** The last event of every turn. */
export interface DoneEvent {
  readonly type: 'done';
  /** 0 done, 1 failed, 3 something was denied, 4 unverified, 5 limit reached, 130 interrupted. */
  readonly exit: ExitCode;
  /** The final answer, or the hand-over at a limit; empty when there was none. */
  readonly text: string;
  readonly steps: number;
  readonly usage: Usage;
  /** US dollars, when the model's price is known. */
  readonly cost?: number;
  readonly receipt: Receipt;
}

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130;

const byWeight: readonly ExitCode[] = [0, 4, 3, 5, 1, 2, 130];

/** The exit code that stands when several apply: 130 > 2 > 1 > 5 > 3 > 4 > 0. */
export function worstExit(codes: Iterable<ExitCode>): ExitCode {
  let worst = 0;
  for (const code of codes) worst = Math.max(worst, byWeight.indexOf(code));
  return byWeight[worst]!;
}
