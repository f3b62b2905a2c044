import { ToolError } from '../base/error.ts';
import type { ChangeSet } from '../change/change.ts';
import { summarize } from '../change/diff.ts';
import type { Origin } from '../change/journal.ts';
import type { Swaps } from '../change/swap.ts';
import type { Ledger } from '../tool/ledger.ts';
import type { ActionOutcome, ActionPlan, ChangePlan, Plan, Tool } from '../tool/tool.ts';
import type { Approval, Proposal } from './decide.ts';
import { callOfPending, closing, planOfPending } from './pending.ts';
import { rehearsalOf } from './rehearse.ts';
import type { RepeatGuard } from './repeat-guard.ts';
import type { CallOptions, CallRequest, ToolResult } from './result.ts';
import { rememberWritten } from './stale.ts';
import type { JudgedCall, Verdict } from './verdict.ts';

/** One call on its way. */
export interface Errand {
  readonly tool: Tool;
  readonly request: CallRequest;
  /** The arguments, parsed, for the rules. */
  readonly args: unknown;
  readonly io: CallOptions;
}

/** What carrying out an approved plan takes. */
export interface Means {
  /** The one writer, bound to its journal. */
  commit(changes: ChangeSet, origin: Origin, swaps?: Swaps): Promise<unknown>;
  /** Journals changes that have happened already, bound like `commit`. */
  noticed?(changes: ChangeSet, origin: Origin): Promise<void>;
  readonly session: string;
  ledger(): Ledger;
  readonly repeats: RepeatGuard;
  /** Throws `denied`. */
  judge(callId: string, call: JudgedCall): Promise<Verdict>;
  /** Throws `denied`. */
  decide(proposal: Proposal, io: CallOptions): Promise<Approval>;
  failure(code: ToolError['code'], text: string): ToolResult;
}

/** Does what was approved. */
export async function carryOut(means: Means, errand: Errand, plan: Plan, note: string): Promise<ToolResult> {
  if (plan.type === 'answer') return { ok: true, text: plan.text, changes: [] };
  await errand.io.onStart?.(plan.type);
  return plan.type === 'change' ? commitPlan(means, errand, plan, note) : runPlan(means, errand, plan);
}

/** Runs the action where nothing is real yet and puts what came of it to a person. */
export async function rehearse(means: Means, errand: Errand, proposal: Proposal): Promise<ToolResult> {
  const { tool, request, io } = errand;
  const rehearsal = rehearsalOf(proposal.plan);
  if (rehearsal === undefined) throw new ToolError('invalid', `${tool.name} can't be tried out. Nothing was done.`);
  await io.onStart?.('action');
  means.repeats.ran(tool.name, request.args);
  return settle(means, errand, await rehearsal.run(), proposal);
}

async function commitPlan(means: Means, errand: Errand, plan: ChangePlan, note: string): Promise<ToolResult> {
  if (plan.changes.length > 0 || (plan.swaps?.list.length ?? 0) > 0) {
    const origin = originOf(means, errand);
    const from = plan.reverts === undefined ? origin : { ...origin, reverts: plan.reverts };
    await means.commit(plan.changes, from, plan.swaps);
    rememberWritten(plan.changes, means.ledger());
    means.repeats.reset();
  }
  return { ok: true, text: plan.done + note, changes: summarize(plan.changes) };
}

async function runPlan(means: Means, errand: Errand, plan: ActionPlan): Promise<ToolResult> {
  const { tool, request } = errand;
  if (!tool.readOnly) means.repeats.ran(tool.name, request.args);
  return settle(means, errand, await plan.run());
}

/** What an action did where it was not real yet is judged, shown if need be, and committed. */
async function settle(means: Means, errand: Errand, outcome: ActionOutcome, rehearsed?: Proposal): Promise<ToolResult> {
  const { text, code, pending, noticed = [] } = outcome;
  if (noticed.length > 0) await means.noticed?.(noticed, originOf(means, errand));
  if (pending === undefined) {
    return code === undefined ? { ok: true, text, changes: summarize(noticed) } : means.failure(code, text);
  }
  return closing(pending.view, async () => {
    const { tool, request, args, io } = errand;
    const call = callOfPending(tool, pending, args);
    const verdict = await means.judge(request.id, call);
    const plan = planOfPending(pending, outcome);
    const asked = { callId: request.id, call, verdict, repeated: false, edited: false, ...rehearsed, plan };
    const proposal = rehearsed === undefined ? asked : { ...asked, rehearsed: { output: text } };
    const approval = await means.decide(proposal, io);
    if (!('plan' in approval)) throw new ToolError('invalid', 'What was done can be kept or dropped, nothing else.');
    const result = await carryOut(means, { ...errand, io: {} }, approval.plan, approval.note);
    return code === undefined ? result : means.failure(code, result.text);
  });
}

function originOf({ session }: Means, { tool, request }: Errand): Origin {
  return { callId: request.id, session, tool: tool.name };
}
