import type { Effect } from '../tool/tool.ts';

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
  readonly always?: string;
}

/** A call as rules see it. `arguments` are as parsed from the model's JSON. */
export interface JudgedCall {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly subject: string;
  readonly effects: readonly Effect[];
  readonly arguments: unknown;
}

/** Judges calls. One policy stands in front of every route to the disk, a process or the network. */
export interface Policy {
  judge(call: JudgedCall): Verdict;
  /** Remembers an *always* answer for the session. */
  grant(tool: string, pattern: string): void;
}
