import type { ChangeSet } from '../change/change.ts';
import type { Verdict } from './verdict.ts';

/** What a person is shown. What is approved is, byte for byte, what happens. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  /** The path, command or pattern in one line. */
  readonly subject: string;
  /** The command, or the unified diff of `changes`. */
  readonly preview: string;
  readonly changes?: ChangeSet;
  readonly verdict: Verdict;
  /** True when the call was allowed but is repeated for the third time. */
  readonly repeated: boolean;
}

/** A person's reply. The last two make the gate plan again: what is then shown and approved is the new plan. */
export type Answer =
  | { readonly type: 'once' }
  | { readonly type: 'always'; readonly pattern: string }
  | { readonly type: 'no'; readonly reason?: string }
  | { readonly type: 'replace'; readonly arguments: unknown }
  | { readonly type: 'hunks'; readonly ids: readonly string[] };

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
