import { asToolError, ToolError } from '../base/error.ts';
import { capText } from '../base/text.ts';
import type { ChangeSet } from '../change/change.ts';
import { summarize } from '../change/diff.ts';
import type { Origin } from '../change/journal.ts';
import { ledgerSlot } from '../tool/ledger.ts';
import type { Registry } from '../tool/registry.ts';
import { createToolState, type ToolState } from '../tool/state.ts';
import type { ActionPlan, ChangePlan, Effect, Plan, Tool, ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Approver } from './approver.ts';
import { type Deciders, decide } from './decide.ts';
import { denied } from './denial.ts';
import { createFileQueue } from './file-queue.ts';
import { gitMetadataVerdict } from './git-metadata.ts';
import { createRepeatGuard } from './repeat-guard.ts';
import type { CallOptions, CallRequest, Decided, OfferedTool, ToolResult } from './result.ts';
import { refuseStaleReads, rememberWritten } from './stale.ts';
import type { JudgedCall, Policy, Verdict } from './verdict.ts';

export type { CallOptions, CallRequest, Decided, OfferedTool, ToolResult } from './result.ts';

/** The only way a call reaches the disk or a process. */
export interface Gate {
  /** Never throws: parse, judge, plan, show, guard, commit, answer. */
  call(request: CallRequest, options?: CallOptions): Promise<ToolResult>;
  definitions(): readonly OfferedTool[];
  /** What the rules say of a call: its arguments are parsed and its effects named, and nothing else happens. */
  judge(request: Omit<CallRequest, 'id'>): Promise<Judged>;
  /** A person said something: a new turn, or a word in between. Repeats are counted afresh. */
  personSpoke(): void;
}

/** A call as the rules saw it, and what they said. */
export interface Judged {
  readonly call: JudgedCall;
  readonly verdict: Verdict;
}

export interface GateOptions {
  readonly workspace: Workspace;
  readonly registry: Registry;
  readonly policy: Policy;
  readonly approver: Approver;
  /** The one writer, bound to its journal. */
  commit(changes: ChangeSet, origin: Origin): Promise<unknown>;
  /** The session's id; it goes into the journal. */
  readonly session: string;
  readonly state?: ToolState;
  /** In front of every error text; `udiff` says `Tool call failed: `. */
  readonly errorPrefix?: string;
  /** Most characters of one result, a note behind them not counted. Default: as many as the tool gives. */
  readonly maxChars?: number;
  /** On inside an agent's turn, off where calls come from elsewhere. Default: off. */
  readonly repeatGuard?: boolean;
  /** Paths whose reading is denied: shown by size and digest only. */
  readonly concealed?: (path: FilePath) => boolean;
  decided?(record: Decided): void | Promise<void>;
}

const noteRoom = 100;

/** @see Gate */
export function createGate(options: GateOptions): Gate {
  const { workspace, registry, policy } = options;
  const state = options.state ?? createToolState();
  const queue = createFileQueue();
  const repeats = createRepeatGuard();
  const deciders: Deciders = {
    policy,
    approver: options.approver,
    concealed: options.concealed ?? (() => false),
    spoke: () => repeats.reset(),
    decided: (record) => options.decided?.(record),
  };

  const decidersOf = ({ approver }: CallOptions): Deciders =>
    approver === undefined ? deciders : { ...deciders, approver };

  async function call(request: CallRequest, io: CallOptions = {}): Promise<ToolResult> {
    try {
      const tool = find(registry, request.tool);
      const repeated = options.repeatGuard === true && repeats.tooMany(tool.name, request.args);
      let outcome = await attempt(tool, request, io, { repeated, edited: false });
      while ('again' in outcome) {
        outcome = await attempt(tool, { ...request, args: outcome.again }, io, { repeated: false, edited: true });
      }
      return capped(outcome);
    } catch (thrown) {
      const { code, message } = asToolError(thrown);
      return capped(failure(code, message));
    }
  }

  async function attempt(
    tool: Tool,
    request: CallRequest,
    io: CallOptions,
    how: { readonly repeated: boolean; readonly edited: boolean },
  ): Promise<ToolResult | { readonly again: unknown }> {
    const signal = io.signal ?? new AbortController().signal;
    const context: ToolContext = { workspace, callId: request.id, signal, state, emit: (news) => io.emit?.(news) };
    signal.throwIfAborted();
    const prepared = await tool.prepare(request.args, context);
    const { subject, effects } = prepared;
    const call = { tool: tool.name, readOnly: tool.readOnly, subject, effects, arguments: parsed(request.args) };
    return queue.run(mutated(effects), async () => {
      signal.throwIfAborted();
      const verdict = await judge(request.id, call);
      const plan = await prepared.plan();
      if (plan.type === 'change') refuseStaleReads(plan, state.get(ledgerSlot), workspace);
      const approval = await decide({ callId: request.id, call, plan, verdict, ...how }, decidersOf(io), signal);
      if ('again' in approval) return approval;
      signal.throwIfAborted();
      return carryOut(tool, request, approval.plan, approval.note, io);
    });
  }

  async function judge(callId: string, call: JudgedCall): Promise<Verdict> {
    const verdict = gitMetadataVerdict(workspace.root, call.effects) ?? policy.judge(call);
    if (verdict.decision !== 'deny') return verdict;
    await deciders.decided({ callId, call, verdict, approver: 'rules', outcome: 'denied' });
    throw denied(call.tool, call.subject, verdict);
  }

  async function carryOut(
    tool: Tool,
    request: CallRequest,
    plan: Plan,
    note: string,
    io: CallOptions,
  ): Promise<ToolResult> {
    if (plan.type === 'answer') return { ok: true, text: plan.text, changes: [] };
    await io.onStart?.(plan.type);
    return plan.type === 'change' ? commitPlan(tool, request, plan, note) : runPlan(tool, request, plan, io);
  }

  async function commitPlan(tool: Tool, request: CallRequest, plan: ChangePlan, note: string): Promise<ToolResult> {
    if (plan.changes.length > 0) {
      const origin = { callId: request.id, session: options.session, tool: tool.name };
      await options.commit(plan.changes, plan.reverts === undefined ? origin : { ...origin, reverts: plan.reverts });
      rememberWritten(plan.changes, state.get(ledgerSlot));
      repeats.reset();
    }
    return { ok: true, text: plan.done + note, changes: summarize(plan.changes) };
  }

  async function runPlan(tool: Tool, request: CallRequest, plan: ActionPlan, io: CallOptions): Promise<ToolResult> {
    if (!tool.readOnly) repeats.ran(tool.name, request.args);
    const { text, code, pending } = await plan.run();
    if (code !== undefined) return failure(code, text);
    if (pending === undefined) return { ok: true, text, changes: [] };
    const subject = `the changes of ${tool.name}`;
    const call = {
      tool: tool.name,
      readOnly: false,
      subject,
      effects: effectsOf(pending),
      arguments: parsed(request.args),
    };
    const verdict = await judge(request.id, call);
    const changes: ChangePlan = { type: 'change', changes: pending, done: text };
    const proposal = { callId: request.id, call, plan: changes, verdict, repeated: false, edited: false };
    const approval = await decide(proposal, decidersOf(io), io.signal ?? new AbortController().signal);
    if ('again' in approval) throw new ToolError('invalid', 'What a command did can be kept or dropped, not replaced.');
    return carryOut(tool, request, approval.plan, approval.note, {});
  }

  function failure(code: ToolError['code'], text: string): ToolResult {
    return { ok: false, code, text: `${options.errorPrefix ?? ''}${text}` };
  }

  /** A tool that cuts by itself may put a note behind what it cut. */
  function capped(result: ToolResult): ToolResult {
    const { maxChars } = options;
    if (maxChars === undefined || result.text.length <= maxChars + noteRoom) return result;
    return { ...result, text: capText(result.text, maxChars) };
  }

  async function judgeOnly(request: Omit<CallRequest, 'id'>): Promise<Judged> {
    const tool = find(registry, request.tool);
    const context = { workspace, callId: 'judge', signal: new AbortController().signal, state, emit: () => {} };
    const { subject, effects } = await tool.prepare(request.args, context);
    const call = { tool: tool.name, readOnly: tool.readOnly, subject, effects, arguments: parsed(request.args) };
    return { call, verdict: gitMetadataVerdict(workspace.root, effects) ?? policy.foresee(call) };
  }

  return {
    call,
    judge: judgeOnly,
    definitions: () => registry.list().map(offered),
    personSpoke: () => repeats.reset(),
  };
}

function find(registry: Registry, name: string): Tool {
  const tool = registry.get(name);
  if (tool !== undefined) return tool;
  const names = registry.list().map((one) => one.name);
  throw new ToolError('invalid', `There is no tool named "${name}". The tools are: ${names.join(', ')}.`);
}

function offered({ name, description, input, set, readOnly }: Tool): OfferedTool {
  return { name, description, input, readOnly, ...(set === undefined ? {} : { set }) };
}

/** Arguments for the rules; the tool has parsed the same text strictly before. */
function parsed(args: unknown): unknown {
  return typeof args === 'string' ? JSON.parse(args.trim() || '{}') : args;
}

/** The real paths a call may change: calls on one of them wait for each other. */
function mutated(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.kind === 'write' || effect.kind === 'delete' ? [effect.path.abs] : []));
}

function effectsOf(changes: ChangeSet): Effect[] {
  return changes.flatMap((change): Effect[] => {
    if (change.type === 'delete') return [{ kind: 'delete', path: change.path }];
    if (change.type !== 'rename') return [{ kind: 'write', path: change.path }];
    return [
      { kind: 'delete', path: change.path },
      { kind: 'write', path: change.to },
    ];
  });
}
