import type { AgentEvent } from '../../agent/event.ts';
import type { Todo } from '../../agent/todo.ts';
import type { ErrorCode } from '../../base/error.ts';
import type { ChangeSummary } from '../../change/change.ts';

/** What is going on in a session, as far as a person sees it. All of it comes from events. */
export interface View {
  readonly busy: boolean;
  /** The answer as it streams, as far as it is not in the scrollback yet. */
  readonly answer: string;
  /** True when the answer's text came as deltas, so that the whole text need not be shown again. */
  readonly streamed: boolean;
  readonly thinking: string;
  readonly thought: boolean;
  /** The call whose arguments are being written. */
  readonly writing: { readonly tool: string; readonly size: number } | undefined;
  readonly calls: readonly RunningCall[];
  readonly subagents: readonly Subagent[];
  readonly todos: readonly Todo[];
  /** Tokens the last request and its answer had. */
  readonly contextTokens: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** US dollars; undefined while no price is known. */
  readonly cost: number | undefined;
}

export interface RunningCall {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: string;
  /** The end of what it printed. */
  readonly output: string;
  readonly asked: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface Subagent {
  readonly callId: string;
  readonly kind: string;
  readonly description: string;
  readonly text: string;
}

/** Something finished: written above the live part once, and never again. */
export type Block =
  | { readonly type: 'prompt'; readonly text: string; readonly images?: readonly string[] }
  | { readonly type: 'answer'; readonly text: string; readonly within: boolean }
  | { readonly type: 'thought'; readonly text: string }
  | CallBlock
  | { readonly type: 'diff'; readonly title: string; readonly diff: string }
  | { readonly type: 'note'; readonly style: 'muted' | 'warn' | 'bad' | 'good'; readonly text: string }
  | { readonly type: 'markdown'; readonly text: string };

export interface CallBlock {
  readonly type: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly arguments: string;
  readonly end: CallEnd;
  /** What it changed, where that is known. */
  readonly diff?: string | undefined;
}

export type CallEnd =
  | { readonly type: 'ok'; readonly text: string; readonly changes: readonly ChangeSummary[] }
  | { readonly type: 'error'; readonly code: ErrorCode; readonly text: string }
  | { readonly type: 'denied'; readonly text: string };

/** An event's effect: the view after it, and what became finished by it. */
export interface Step {
  readonly view: View;
  readonly blocks: readonly Block[];
}

export type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

export const emptyView: View = {
  busy: false,
  answer: '',
  streamed: false,
  thinking: '',
  thought: false,
  writing: undefined,
  calls: [],
  subagents: [],
  todos: [],
  contextTokens: 0,
  tokens: { input: 0, output: 0 },
  cost: undefined,
};
