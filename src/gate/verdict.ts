import type { Effect } from '../tool/tool.ts';
import type { GrantTerms } from './grants.ts';

/** `allow < ask < deny`; combining several is taking the strictest. */
export type Decision = 'allow' | 'ask' | 'deny';

const order: readonly Decision[] = ['allow', 'ask', 'deny'];

export function strictest(decisions: Iterable<Decision>): Decision {
  let at = 0;
  for (const decision of decisions) at = Math.max(at, order.indexOf(decision));
  return order[at]!;
}

/** One effect with the row or built-in that decided it. */
export interface JudgedEffect {
  readonly kind: Effect['kind'];
  /** The path, command or host that was judged. */
  readonly subject: string;
  readonly decision: Decision;
  /** Which rule decided, e.g. `permission.bash["git *"] (.benchdog/config.json:4)` or `built-in: secrets`. */
  readonly by: string;
  /** For the model: why, and what to do instead. */
  readonly reason?: string;
}

/** What the rules say of one call. */
export interface Verdict {
  readonly decision: Decision;
  readonly by: string;
  readonly reason?: string;
  readonly effects: readonly JudgedEffect[];
  /** The pattern an *always* would grant, when one may be offered. */
  readonly always?: string | undefined;
}

/** A call as rules see it. `arguments` are as parsed from the model's JSON. */
export interface JudgedCall {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly subject: string;
  readonly effects: readonly Effect[];
  readonly arguments: unknown;
  /** True for what a command did in a view: its effects are known files, and what counts is what other tools' rows say of them. */
  readonly done?: boolean;
}

/** Judges calls. One policy stands in front of every route to the disk, a process or the network. */
export interface Policy {
  /** Says what becomes of a call that is about to be made; counts as a use of the grant that allows it. */
  judge(call: JudgedCall): Verdict;
  /** The same for a call that is only asked about. */
  foresee(call: JudgedCall): Verdict;
  /** Finds out what judging a call needs to know and can't wait for; without it, more is asked. */
  prepare(call: JudgedCall): Promise<void>;
  /** Remembers an *always* answer: for the session, or as the terms say. */
  grant(tool: string, pattern: string, terms?: GrantTerms): void;
  /** Why an *always* of this pattern may not be granted for a call, as a sentence; undefined when it may. */
  grantProblem(call: JudgedCall, pattern: string): string | undefined;
}
