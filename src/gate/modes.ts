import { createGrants } from './grants.ts';
import type { ApproveMode } from './judge.ts';
import { createPolicy, type GatePolicy, type PolicyOptions } from './policy.ts';

/** How a session works at the moment: a way of approving, or `plan`, in which nothing but reading is allowed. */
export type Mode = ApproveMode | 'plan';

/**
 * A policy whose mode may change while it is in use; grants stay. What is refused whatever the mode, is refused in each.
 *
 * @param make makes the policy of each mode; default `createPolicy`
 */
export function policyInModes(
  options: PolicyOptions,
  mode: () => Mode,
  make: (options: PolicyOptions) => GatePolicy = createPolicy,
): GatePolicy {
  const grants = options.grants ?? createGrants();
  const made = new Map<Mode, GatePolicy>();
  const policyOf = (wanted: Mode): GatePolicy => {
    const approve = wanted === 'plan' ? 'ask' : wanted;
    return make({ ...options, grants, approve, readOnly: options.readOnly === true || wanted === 'plan' });
  };
  const now = (): GatePolicy => {
    const wanted = mode();
    const known = made.get(wanted) ?? policyOf(wanted);
    made.set(wanted, known);
    return known;
  };
  return {
    judge: (call) => now().judge(call),
    explain: (call) => now().explain(call),
    foresee: (call) => now().foresee(call),
    grant: (tool, pattern, terms) => now().grant(tool, pattern, terms),
    grantProblem: (call, pattern) => now().grantProblem(call, pattern),
    prepare: (call) => now().prepare(call),
    visible: (path) => now().visible(path),
    searchable: (path) => now().searchable(path),
    withApprove: (approve) => now().withApprove(approve),
    grants,
  };
}
