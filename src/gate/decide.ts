import { ToolError } from '../base/error.ts';
import type { Change } from '../change/change.ts';
import { renderDiff } from '../change/diff.ts';
import { selectHunks } from '../change/hunk-choice.ts';
import type { Plan } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Answer, Approver } from './approver.ts';
import { declined, repeatedTooOften, unattended } from './denial.ts';
import type { Decided } from './result.ts';
import type { Policy, Verdict } from './verdict.ts';

/** A plan on its way to a person. */
export interface Proposal {
  readonly callId: string;
  readonly tool: string;
  readonly subject: string;
  readonly plan: Plan;
  readonly verdict: Verdict;
  /** The third identical call: asked even when allowed. */
  readonly repeated: boolean;
  /** A person replaced the arguments: the new plan is shown whatever the rules say. */
  readonly edited: boolean;
}

/** What may be carried out, with a note for the model; or new arguments to start again with. */
export type Approval = { readonly plan: Plan; readonly note: string } | { readonly again: unknown };

export interface Deciders {
  readonly policy: Policy;
  readonly approver: Approver;
  /** Paths whose reading is denied: shown by size and digest only. */
  readonly concealed: (path: FilePath) => boolean;
  /** A person answered. */
  spoke(): void;
  decided(record: Decided): void | Promise<void>;
}

/** Lets an allowed plan pass, asks a person for the others. Throws `denied` when the answer is no. */
export async function decide(proposal: Proposal, deciders: Deciders, signal: AbortSignal): Promise<Approval> {
  const { tool, subject, plan, verdict, callId } = proposal;
  const record: Decided = { callId, tool, subject, verdict, ...(plan.type === 'change' && { changes: plan.changes }) };
  if (!mustAsk(proposal)) {
    await deciders.decided(record);
    return { plan, note: '' };
  }
  if (!deciders.approver.present) {
    await deciders.decided(record);
    throw verdict.decision === 'ask' ? unattended(tool, subject, verdict) : repeatedTooOften(tool);
  }
  const answer = await deciders.approver.ask(
    {
      callId,
      tool,
      subject,
      verdict,
      repeated: proposal.repeated,
      preview: previewOf(plan, deciders.concealed),
      ...(plan.type === 'change' && { changes: plan.changes }),
    },
    signal,
  );
  deciders.spoke();
  await deciders.decided({ ...record, answer: answer.type });
  return follow(answer, proposal, deciders.policy);
}

/** A change set that changes nothing needs nobody's word, unless the call itself was to be asked. */
function mustAsk({ verdict, repeated, edited, plan }: Proposal): boolean {
  if (repeated || edited) return true;
  const idle = plan.type === 'change' && plan.changes.length === 0;
  return verdict.decision === 'ask' && !idle;
}

function follow(answer: Answer, { tool, plan }: Proposal, policy: Policy): Approval {
  switch (answer.type) {
    case 'once':
      return { plan, note: '' };
    case 'always':
      policy.grant(tool, answer.pattern);
      return { plan, note: '' };
    case 'no':
      throw declined(tool, answer.reason);
    case 'replace':
      return { again: answer.arguments };
    case 'hunks':
      return chooseHunks(tool, plan, answer.ids);
  }
}

function previewOf(plan: Plan, concealed: Deciders['concealed']): string {
  if (plan.type === 'change')
    return renderDiff(plan.changes, { display: true, opaque: (change) => pathsOf(change).some(concealed) });
  return plan.type === 'action' ? plan.preview : '';
}

function pathsOf(change: Change): FilePath[] {
  return change.type === 'rename' ? [change.path, change.to] : [change.path];
}

function chooseHunks(tool: string, plan: Plan, ids: readonly string[]): Approval {
  if (plan.type !== 'change') throw new ToolError('invalid', 'Hunks can be chosen only of a change to files.');
  const { changes, dropped } = selectHunks(plan.changes, ids);
  if (changes.length === 0) throw declined(tool, 'no hunk was chosen');
  if (dropped.length === 0) return { plan, note: '' };
  const count = dropped.length === 1 ? 'one hunk' : `${dropped.length} hunks`;
  const note = `\nThe user left out ${count}: ${dropped.join(', ')}. The rest was applied; read the file again before the next edit.`;
  return { plan: { ...plan, changes }, note };
}
