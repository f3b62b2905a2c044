import { alwaysPatterns } from './always.ts';
import { widthProblem } from './grant-width.ts';
import { withGrant } from './grants.ts';
import type { JudgeContext } from './judge.ts';
import { ruleByRows, ruleCall, type TakenApart, takeCallApart, verdictOf } from './judge-call.ts';
import type { JudgedCall, JudgedEffect, Verdict } from './verdict.ts';

/** A verdict with the *always* it offers. That is found out when it is looked at: most verdicts are put to nobody. */
export function withOffer(context: JudgeContext, call: JudgedCall, taken: TakenApart, verdict: Verdict): Verdict {
  if (verdict.decision !== 'ask' || verdict.effects.some(isBeyondGrants)) return verdict;
  let offer: { readonly pattern: string | undefined } | undefined;
  return {
    ...verdict,
    get always() {
      offer ??= { pattern: offeredPattern(context, call, taken) };
      return offer.pattern;
    },
  };
}

/** The first pattern that, once granted, would allow this very call. */
function offeredPattern(context: JudgeContext, call: JudgedCall, taken: TakenApart): string | undefined {
  const patterns = alwaysPatterns(call, taken.lines, context.alwaysStyle);
  return patterns.find((pattern) => granting(context, call, taken, pattern).decision === 'allow');
}

/** A doubt or a guard asks whatever is granted. */
function isBeyondGrants({ decision, by }: JudgedEffect): boolean {
  return decision !== 'allow' && /^(?:built-in|guard|secrets|protect):/.test(by);
}

/** The verdict if the pattern were granted; guards, which no grant lifts, are left out. */
function granting(context: JudgeContext, call: JudgedCall, taken: TakenApart, pattern: string): Verdict {
  const grants = withGrant(context.grants, { tool: call.tool, pattern });
  return verdictOf(ruleByRows({ ...context, grants }, call, taken));
}

/** Why an *always* of a pattern, offered or edited by a person, may not be granted for a call. */
export function problemOfGrant(context: JudgeContext, call: JudgedCall, pattern: string): string | undefined {
  const taken = takeCallApart(context, call);
  if (!alwaysPatterns(call, taken.lines, context.alwaysStyle).includes(pattern)) {
    const problem = widthProblem(call, taken.lines, pattern, context.alwaysStyle);
    if (problem !== undefined) return problem;
  }
  const refused = verdictOf(ruleCall(context, call, taken));
  const verdict = refused.effects.some(isBeyondGrants) ? refused : granting(context, call, taken, pattern);
  if (verdict.decision === 'allow') return undefined;
  return `"${pattern}" can't be granted: ${call.tool} ${call.subject} would still be ${verdict.decision === 'ask' ? 'asked' : 'denied'} by ${verdict.by}.`;
}
