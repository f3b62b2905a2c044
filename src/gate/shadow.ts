import type { Decision, JudgedCall, Policy, Verdict } from './verdict.ts';

/** A call on which a second policy would have decided otherwise. */
export interface Difference {
  readonly tool: string;
  readonly subject: string;
  readonly decision: Decision;
  readonly by: string;
  readonly shadow: Decision;
  readonly shadowBy: string;
}

/** The same policy, telling `log` wherever `shadow` would have decided otherwise. The shadow decides nothing. */
export function withShadow<P extends Policy>(
  policy: P,
  shadow: Pick<Policy, 'foresee' | 'prepare'>,
  log: (difference: Difference) => void,
): P {
  return {
    ...policy,
    prepare: async (call) => {
      await Promise.all([policy.prepare(call), shadow.prepare(call)]);
    },
    judge(call: JudgedCall): Verdict {
      // Before the verdict uses up a grant that both have.
      const other = shadow.foresee(call);
      const verdict = policy.judge(call);
      if (other.decision !== verdict.decision) {
        const { tool, subject } = call;
        log({ tool, subject, decision: verdict.decision, by: verdict.by, shadow: other.decision, shadowBy: other.by });
      }
      return verdict;
    },
  };
}
