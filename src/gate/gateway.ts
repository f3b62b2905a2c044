import { asToolError, ToolError } from '../base/error.ts';
import { capText } from '../base/text.ts';
import { ledgerSlot } from '../tool/ledger.ts';
import type { Registry } from '../tool/registry.ts';
import { createToolState, type ToolState } from '../tool/state.ts';
import type { Effect, Tool, ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Approver } from './approver.ts';
import { carryOut, type Errand, type Means, rehearse } from './carry-out.ts';
import { type Deciders, decide } from './decide.ts';
import { denied } from './denial.ts';
import { createFileQueue } from './file-queue.ts';
import { gitMetadataVerdict } from './git-metadata.ts';
import { rehearsesFirst, withProblem } from './rehearse.ts';
import { createRepeatGuard } from './repeat-guard.ts';
import type { CallOptions, CallRequest, Decided, OfferedTool, ToolResult } from './result.ts';
import { refuseStaleReads } from './stale.ts';
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

export interface GateOptions extends Pick<Means, 'commit' | 'noticed'> {
  readonly workspace: Workspace;
  readonly registry: Registry;
  readonly policy: Policy;
  readonly approver: Approver;
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
  const failure = (code: ToolError['code'], text: string): ToolResult => {
    return { ok: false, code, text: `${options.errorPrefix ?? ''}${text}` };
  };
  const means: Means = {
    commit: options.commit,
    ...(options.noticed === undefined ? {} : { noticed: options.noticed }),
    session: options.session,
    ledger: () => state.get(ledgerSlot),
    repeats,
    judge,
    decide: (proposal, io) => decide(proposal, decidersOf(io), io.signal ?? new AbortController().signal),
    failure,
  };

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
    const errand: Errand = { tool, request, args: parsed(request.args), io };
    const call = { tool: tool.name, readOnly: tool.readOnly, subject, effects, arguments: errand.args };
    return queue.run(mutated(effects), async () => {
      signal.throwIfAborted();
      const verdict = await judge(request.id, call);
      const plan = await prepared.plan();
      if (plan.type === 'change') refuseStaleReads(plan, means.ledger(), workspace);
      const proposal = await withProblem({ callId: request.id, call, plan, verdict, ...how });
      const first = rehearsesFirst(proposal, decidersOf(io).approver);
      const approval = first ? { rehearse: true as const } : await means.decide(proposal, io);
      if ('again' in approval) return approval;
      signal.throwIfAborted();
      if ('rehearse' in approval) return rehearse(means, errand, proposal);
      return carryOut(means, errand, approval.plan, approval.note);
    });
  }

  async function judge(callId: string, call: JudgedCall): Promise<Verdict> {
    await policy.prepare(call);
    // What a command did to git's data was done by git, or by what was allowed to run as it was.
    const ofGit = call.done === true ? undefined : gitMetadataVerdict(workspace.root, call.effects);
    const verdict = ofGit ?? policy.judge(call);
    if (verdict.decision !== 'deny') return verdict;
    await deciders.decided({ callId, call, verdict, approver: 'rules', outcome: 'denied' });
    throw denied(call.tool, call.subject, verdict);
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
    await policy.prepare(call);
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
