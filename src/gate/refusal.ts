import type { Decision } from './verdict.ts';

/**
 * What a guard says before any rule is asked. A *deny* stands whatever rows, grants and `--approve` say; an *ask* is put
 * to a person even under `--approve all`.
 */
export interface Refusal {
  readonly decision: Exclude<Decision, 'allow'>;
  /** Which guard, e.g. `guard: git reset --hard`. */
  readonly by: string;
  /** For the model: what is wrong with it, and what to do instead. */
  readonly reason: string;
}
