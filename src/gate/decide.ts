import { createHash } from 'node:crypto';
import { ToolError } from '../base/error.ts';
import type { Change } from '../change/change.ts';
import { renderDiff } from '../change/diff.ts';
import { listHunks, selectHunks } from '../change/hunk-choice.ts';
import type { Plan } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { type Answer, type ApprovalRequest, type Approver, asAnswer, type Rehearsed } from './approver.ts';
import { declined, repeatedTooOften, unattended } from './denial.ts';
import type { Decided } from './result.ts';
import type { JudgedCall, Policy, Verdict } from './verdict.ts';

/** A plan on its way to a person. */
export interface Proposal {
  readonly callId: string;
  readonly call: JudgedCall;
  readonly plan: Plan;
  readonly verdict: Verdict;
  /** The third identical call: asked even when allowed. */
  readonly repeated: boolean;
  /** A person replaced the arguments: the new plan is shown whatever the rules say. */
  readonly edited: boolean;
  /** The plan is what a command did on a view; nothing of it happens without a person's word. */
  readonly rehearsed?: Pick<Rehearsed, 'output'>;
  /** Why a rehearsal that was wanted could not be. */
  readonly notRehearsed?: string;
}

/** What may be carried out, with a note for the model; or new arguments to start again with; or a rehearsal is wanted. */
export type Approval =
  | { readonly plan: Plan; readonly note: string }
  | { readonly again: unknown }
  | { readonly rehearse: true };

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
  const { call, plan, verdict, callId } = proposal;
  const note = (approver: string, outcome: Decided['outcome']) =>
    deciders.decided({ callId, call, verdict, approver, outcome, ...digestOfPlan(plan) });
  if (!mustAsk(proposal)) {
    await note('rules', 'allowed');
    return { plan, note: '' };
  }
  if (!deciders.approver.present) {
    const asked = verdict.decision === 'ask';
    await note(asked ? 'nobody' : 'repeat guard', 'denied');
    throw asked ? unattended(call.tool, call.subject, verdict) : repeatedTooOften(call.tool);
  }
  const answer = await askPerson(proposal, deciders, signal);
  deciders.spoke();
  const refused = answer.type === 'no' || answer.type === 'replace' || answer.type === 'rehearse';
  await note(`person: ${spelled(answer)}`, refused ? 'denied' : 'allowed');
  return follow(answer, call.tool, plan, deciders);
}

const mostAnswers = 3;

/** An *always* for a pattern that may not be granted is no answer: the person is told why, and asked again. */
async function askPerson(proposal: Proposal, { approver, concealed, policy }: Deciders, signal: AbortSignal) {
  const request = await requestOf(proposal, concealed);
  let problem: string | undefined;
  for (let times = 0; times < mostAnswers; times += 1) {
    const answer = asAnswer(await approver.ask(problem === undefined ? request : { ...request, problem }, signal));
    problem = answer.type === 'always' ? policy.grantProblem(proposal.call, answer.pattern) : undefined;
    if (problem === undefined) return answer;
  }
  return { type: 'no', reason: problem! } satisfies Answer;
}

/** For the audit log: what was answered, and what is allowed from now on. */
function spelled(answer: Answer): string {
  if (answer.type !== 'always') return answer.type;
  const { pattern, uses, minutes, stored } = answer;
  const terms = [uses && `${uses} times`, minutes && `${minutes} minutes`, stored && 'stored'].filter(Boolean);
  return `always ${pattern}${terms.length > 0 ? ` (${terms.join(', ')})` : ''}`;
}

async function requestOf(proposal: Proposal, concealed: Deciders['concealed']): Promise<ApprovalRequest> {
  const { callId, call, plan, verdict, repeated, rehearsed, notRehearsed } = proposal;
  const { tool, subject } = call;
  const diff = previewOf(plan, concealed);
  const preview = rehearsed === undefined ? diff : rehearsedText(subject, { ...rehearsed, diff });
  const request = { callId, tool, subject, arguments: call.arguments, verdict, repeated, preview };
  if (plan.type === 'change') {
    const { changes, swaps } = plan;
    const hunks = () => listHunks(changes, { display: true, opaque: opaqueBy(concealed) });
    const parts = swaps === undefined ? { hunks } : {};
    return { ...request, changes, ...parts, ...(rehearsed === undefined ? {} : { rehearsed: { ...rehearsed, diff } }) };
  }
  const rehearsal = plan.type === 'action' ? plan.rehearsal : undefined;
  const canRehearse = rehearsal !== undefined && (await rehearsal.problem()) === undefined;
  return {
    ...request,
    ...(canRehearse ? { canRehearse } : {}),
    ...(notRehearsed === undefined ? {} : { notRehearsed }),
  };
}

function rehearsedText(command: string, { output, diff }: Rehearsed): string {
  const changes = diff === '' ? 'It changes no file.' : `It changes these files:\n${diff}`;
  return `${command}\n\nTried out without network; nothing is changed yet.\n${output}\n\n${changes}`;
}

/** What an approval is an approval of: the names and contents before and after, or the text of the action. */
function digestOfPlan(plan: Plan): { readonly digest?: string } {
  if (plan.type === 'answer') return {};
  const hash = createHash('sha256');
  if (plan.type === 'action') return { digest: hash.update(plan.preview).digest('hex') };
  const marks = plan.changes.map((change) => [
    change.type,
    ...pathsOf(change).map((path) => path.rel),
    'before' in change ? change.before.digest : '',
    'after' in change ? change.after.digest : '',
  ]);
  return { digest: hash.update(JSON.stringify(marks)).digest('hex') };
}

/** A change set that changes nothing needs nobody's word, unless the call itself was to be asked. */
export function mustAsk({ verdict, repeated, edited, rehearsed, plan }: Omit<Proposal, 'callId' | 'call'>): boolean {
  if (repeated || edited || rehearsed !== undefined) return true;
  const idle = plan.type === 'change' && plan.changes.length === 0;
  return verdict.decision === 'ask' && !idle;
}

function follow(answer: Answer, tool: string, plan: Plan, { policy, concealed }: Deciders): Approval {
  switch (answer.type) {
    case 'once':
      return { plan, note: '' };
    case 'always':
      policy.grant(tool, answer.pattern, answer);
      return { plan, note: '' };
    case 'no':
      throw declined(tool, answer.reason);
    case 'rehearse':
      return { rehearse: true };
    case 'replace':
      return { again: answer.arguments };
    case 'hunks':
      return chooseHunks(tool, plan, answer.ids, concealed);
  }
}

function previewOf(plan: Plan, concealed: Deciders['concealed']): string {
  if (plan.type === 'change') return renderDiff(plan.changes, { display: true, opaque: opaqueBy(concealed) });
  return plan.type === 'action' ? plan.preview : '';
}

function opaqueBy(concealed: Deciders['concealed']) {
  return (change: Change): boolean => pathsOf(change).some(concealed);
}

function pathsOf(change: Change): FilePath[] {
  return change.type === 'rename' ? [change.path, change.to] : [change.path];
}

function chooseHunks(tool: string, plan: Plan, ids: readonly string[], concealed: Deciders['concealed']): Approval {
  if (plan.type !== 'change' || plan.swaps !== undefined) {
    throw new ToolError('invalid', 'Hunks can be chosen only of an edit; what a command did is taken or left whole.');
  }
  const { changes, dropped } = selectHunks(plan.changes, ids, { opaque: opaqueBy(concealed) });
  if (changes.length === 0) throw declined(tool, 'no hunk was chosen');
  if (dropped.length === 0) return { plan, note: '' };
  const count = dropped.length === 1 ? 'one hunk' : `${dropped.length} hunks`;
  const note = `\nThe user left out ${count}: ${dropped.join(', ')}. The rest was applied; read the file again before the next edit.`;
  return { plan: { ...plan, changes }, note };
}
