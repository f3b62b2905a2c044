import { ToolError } from '../base/error.ts';
import type { ChangeSet } from '../change/change.ts';
import type { HunkChoice } from '../change/hunk-choice.ts';
import type { GrantTerms } from './grants.ts';
import type { Verdict } from './verdict.ts';

/** What a person is shown. What is approved is, byte for byte, what happens. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  /** The path, command or pattern in one line. */
  readonly subject: string;
  /** As the model gave them, parsed: what `replace` may give anew. */
  readonly arguments: unknown;
  /** The command, or the unified diff of `changes`. */
  readonly preview: string;
  readonly changes?: ChangeSet;
  /** The parts of `changes` that may be taken or left, as a person may see them. */
  hunks?(): readonly HunkChoice[];
  /** Set when a command was run on a view of the workspace: `changes` is what it did, and answering *once* makes it so. */
  readonly rehearsed?: Rehearsed;
  /** Whether the command may be tried out first: then the answer may be `rehearse`. */
  readonly canRehearse?: boolean;
  /** Why it could not be tried out, where that was wanted. */
  readonly notRehearsed?: string;
  readonly verdict: Verdict;
  /** True when the call was allowed but is repeated for the third time. */
  readonly repeated: boolean;
  /** Why the pattern of the *always* just answered was not granted; what to do is asked once more. */
  readonly problem?: string;
}

/** What a command came to that ran without network and changed nothing yet. */
export interface Rehearsed {
  /** How it ended and what it printed, as the model would get it. */
  readonly output: string;
  /** What it changed as a unified diff; empty when nothing. `preview` has command, output and diff together. */
  readonly diff: string;
}

/** A person's reply; `rehearse` only where the request offers it. The last two make the gate plan again: what is then shown and approved is the new plan. */
export type Answer =
  | { readonly type: 'once' }
  /** The pattern shown (`verdict.always`) or one that the person made of it, for the session or as the terms say. */
  | ({ readonly type: 'always'; readonly pattern: string } & GrantTerms)
  | { readonly type: 'no'; readonly reason?: string }
  | { readonly type: 'rehearse' }
  | { readonly type: 'replace'; readonly arguments: unknown }
  | { readonly type: 'hunks'; readonly ids: readonly string[] };

/** Throws `failed` for what is no answer: an approver is somebody else's code, and only a clear yes is one. */
export function asAnswer(value: unknown): Answer {
  const answer = value as Partial<Record<string, unknown>> | null | undefined;
  switch (answer?.type) {
    case 'once':
    case 'no':
    case 'rehearse':
    case 'replace':
      return value as Answer;
    case 'always':
      if (typeof answer.pattern === 'string') return value as Answer;
      throw noAnswer('an "always" without a pattern');
    case 'hunks':
      if (Array.isArray(answer.ids) && answer.ids.every((id) => typeof id === 'string')) return value as Answer;
      throw noAnswer('"hunks" without their ids');
    default:
      throw noAnswer(typeof answer?.type === 'string' ? `"${answer.type}"` : typeof value);
  }
}

function noAnswer(what: string): ToolError {
  const valid = 'once, always (pattern), no, rehearse, replace (arguments), hunks (ids)';
  return new ToolError('failed', `The approver gave ${what}, which is no answer. Valid: ${valid}. Nothing was done.`);
}

export interface Approver {
  /** False when nobody can be asked: an *ask* is then a denial that says so. */
  readonly present: boolean;
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer>;
}

/** Headless runs: nobody is there. */
export const nobody: Approver = {
  present: false,
  ask: async () => ({ type: 'no', reason: 'nobody could be asked' }),
};
