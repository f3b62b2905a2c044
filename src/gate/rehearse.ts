import type { Plan, Rehearsal } from '../tool/tool.ts';
import type { Approver } from './approver.ts';
import { mustAsk, type Proposal } from './decide.ts';

export function rehearsalOf(plan: Plan): Rehearsal | undefined {
  return plan.type === 'action' ? plan.rehearsal : undefined;
}

/** Notes why a rehearsal that is wanted before anybody is asked can't be; the person is told. */
export async function withProblem(proposal: Proposal): Promise<Proposal> {
  const rehearsal = rehearsalOf(proposal.plan);
  if (rehearsal?.first !== true || !mustAsk(proposal)) return proposal;
  const notRehearsed = await rehearsal.problem();
  return notRehearsed === undefined ? proposal : { ...proposal, notRehearsed };
}

/** Whether the action is to be tried out before anybody is asked. With nobody to ask, it would run for nothing. */
export function rehearsesFirst(proposal: Proposal, approver: Approver): boolean {
  const wanted = rehearsalOf(proposal.plan)?.first === true && proposal.notRehearsed === undefined;
  return wanted && mustAsk(proposal) && approver.present;
}
