import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Effect } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { openRoot } from '../workspace/path.ts';
import { type AlwaysStyle, alwaysPatterns } from './always.ts';
import { type Deed, foreignDeed, pathDeed } from './deed.ts';
import { deniedPatterns, secretRows } from './defaults.ts';
import { type Explanation, explainVerdict } from './explain.ts';
import { widthProblem } from './grant-width.ts';
import { createGrants, type Grants, withGrant } from './grants.ts';
import { enabledGuards, refusals } from './guards.ts';
import { openHistory } from './history.ts';
import { type ApproveMode, type JudgeContext, judgeBare, judgeDeed, type RuledEffect } from './judge.ts';
import { judgeDone } from './judge-done.ts';
import { judgeShell } from './judge-shell.ts';
import { refuseOwnFiles } from './own-files.ts';
import { isReadable, namedFace, readable, searchable } from './readable.ts';
import { type ApproverConfig, createRousseauRules } from './rousseau-rules.ts';
import type { Row } from './rule.ts';
import { readShellLine } from './shell/command.ts';
import type { ShellLine } from './shell/line.ts';
import { createTables } from './tables.ts';
import type { JudgedCall, JudgedEffect, Policy, Verdict } from './verdict.ts';
import { strictest } from './verdict.ts';

export interface PolicyOptions {
  /** The workspace folder. */
  readonly root: string;
  /** Rows in the order of their layers: defaults of the dialect, user file, project file, environment, flags. */
  readonly rows?: readonly Row[];
  /** The `plugins` of all layers; `-guard`, `-secrets` and `-protect` switch a guard off. */
  readonly plugins?: readonly string[];
  /** Default `ask`. */
  readonly approve?: ApproveMode;
  /** True: nothing but reading (`--plan`). */
  readonly readOnly?: boolean;
  /** Grants of the session; shared with the policies of subagents. */
  readonly grants?: Grants;
  /** What an *always* offers for a command; default `git log *`, in the `shiro` dialect `git *`. */
  readonly alwaysStyle?: AlwaysStyle;
  /** The approver of the `rousseau` dialect. An invalid expression throws `invalid`. */
  readonly approver?: ApproverConfig;
  /** Absolute paths of what the program keeps for itself: no call reads or changes them. */
  readonly own?: readonly string[];
  /** Does `A` name the same file as `a`? Default: on macOS and Windows, and wherever the workspace's disk says so. */
  readonly foldsCase?: boolean;
}

/** The policy of a session: rules, grants, guards, and what reading may see. */
export interface GatePolicy extends Policy {
  /** False for a file whose reading is denied, by its real or its given name; workspaces hide these. */
  visible(path: FilePath): boolean;
  /** False, too, for a file that a row wants to be asked about before it is read: no search shows it unasked. */
  searchable(path: FilePath): boolean;
  readonly grants: Grants;
  /** Why a call is judged as it is; uses up no grant. */
  explain(call: JudgedCall): Explanation;
  /** The same rules under another way of approving; grants are shared. A subagent runs under `none`. */
  withApprove(approve: ApproveMode): GatePolicy;
}

export function createPolicy(options: PolicyOptions): GatePolicy {
  const rows = options.rows ?? [];
  const root = openRoot(options.root);
  const foldsCase = options.foldsCase ?? (root.folds || process.platform === 'darwin' || process.platform === 'win32');
  const grants = options.grants ?? createGrants();
  const context: JudgeContext = {
    root,
    foldsCase,
    grants,
    approve: approveMode(options),
    ...(options.approver === undefined ? {} : { approver: createRousseauRules(options.approver) }),
    readOnly: options.readOnly ?? false,
    trusted: createTables(
      rows.filter((row) => !row.untrusted),
      foldsCase,
    ),
    untrusted: createTables(
      rows.filter((row) => row.untrusted && row.decision !== 'allow'),
      foldsCase,
    ),
    secrets: secretRows(rows),
    guards: enabledGuards(options.plugins),
    history: openHistory({
      root: root.real,
      patterns: deniedPatterns(rows),
      readable: (path) => isReadable(context, [namedFace(root, path)]),
    }),
    alwaysStyle: options.alwaysStyle ?? 'sub-command',
    own: (options.own ?? []).map(realName),
  };
  return {
    judge: (call) => judgeCall(context, call),
    explain: (call) => explainVerdict(call, foresee(context, call)),
    foresee: (call) => foresee(context, call),
    prepare: (call) => lookAhead(context, call),
    grant: (tool, pattern, terms) => void grants.add({ ...terms, tool, pattern }),
    grantProblem: (call, pattern) => problemOf(context, call, pattern),
    grants,
    visible: (path) => readable(context, path),
    searchable: (path) => searchable(context, path),
    withApprove: (approve) => createPolicy({ ...options, approve, grants }),
  };
}

/** The path behind links of its folder; it need not be there itself. */
function realName(path: string): string {
  try {
    return join(realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/** `allow_all` leaves nobody to ask, as `--approve all` does. */
function approveMode({ approve, approver }: PolicyOptions): ApproveMode {
  return approve === undefined && approver?.mode === 'allow_all' ? 'all' : (approve ?? 'ask');
}

function judgeCall(context: JudgeContext, call: JudgedCall): Verdict {
  const taken = takeCallApart(context, call);
  const ruled = ruleCall(context, call, taken);
  const verdict = verdictOf(ruled, call.effects.length === 0 ? [] : ruled);
  if (verdict.decision === 'allow')
    for (const { grant } of ruled) if (grant !== undefined) context.grants.use(grant.id);
  return withAlways(context, call, taken, verdict);
}

/** Only commands of git can show what was committed once. */
async function lookAhead(context: JudgeContext, { effects }: JudgedCall): Promise<void> {
  const git = effects.some((effect) => 'command' in effect && /\bgit\b/.test(effect.command));
  if (git) await context.history.look();
}

function foresee(context: JudgeContext, call: JudgedCall): Verdict {
  const taken = takeCallApart(context, call);
  const ruled = ruleCall(context, call, taken);
  return withAlways(context, call, taken, verdictOf(ruled, call.effects.length === 0 ? [] : ruled));
}

/** The first pattern that, once granted, would allow this very call. */
function withAlways(context: JudgeContext, call: JudgedCall, taken: TakenApart, verdict: Verdict): Verdict {
  if (verdict.decision !== 'ask' || verdict.effects.some(isBeyondGrants)) return verdict;
  const patterns = alwaysPatterns(call, taken.lines, context.alwaysStyle);
  const always = patterns.find((pattern) => granting(context, call, taken, pattern).decision === 'allow');
  return always === undefined ? verdict : { ...verdict, always };
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

function problemOf(context: JudgeContext, call: JudgedCall, pattern: string): string | undefined {
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

/** The deeds of a call by effect; a shell command is a line of them. */
interface TakenApart {
  readonly parts: readonly (ShellLine | { readonly deeds: readonly Deed[] })[];
  readonly lines: readonly ShellLine[];
}

function takeCallApart(context: JudgeContext, call: JudgedCall): TakenApart {
  const parts = call.effects.map((effect) => takeApart(context, effect));
  return { parts, lines: parts.filter((part) => 'text' in part) };
}

function ruleCall(context: JudgeContext, call: JudgedCall, taken: TakenApart): readonly RuledEffect[] {
  const { parts, lines } = taken;
  if (parts.length === 0) return ruleByRows(context, call, taken);
  const deeds = parts.flatMap((part) => part.deeds);
  if (call.done === true) return deeds.map((deed) => judgeDone(context, call, deed));
  const refused = refusals(context.guards, deeds, lines, context.root).map((effect) => underNone(context, effect));
  return [...ownRefusals(context, deeds), ...refused, ...ruleByRows(context, call, taken)];
}

function ownRefusals({ own }: JudgeContext, deeds: readonly Deed[]): RuledEffect[] {
  return deeds.flatMap((deed) => {
    const refusal = refuseOwnFiles(own, deed);
    return refusal === undefined ? [] : [{ kind: deed.kind, subject: deed.subject, ...refusal }];
  });
}

function ruleByRows(context: JudgeContext, call: JudgedCall, { parts }: TakenApart): readonly RuledEffect[] {
  if (parts.length === 0) return [{ kind: 'execute', subject: call.subject, ...judgeBare(context, call) }];
  return parts.flatMap((part) =>
    'text' in part ? judgeShell(context, call, part) : part.deeds.map((deed) => judgeDeed(context, call, deed)),
  );
}

/**
 * The strictest effect decides. Guards come first, so of equally strict answers theirs is told; else one that gives a
 * reason.
 */
function verdictOf(effects: readonly RuledEffect[], shown = effects): Verdict {
  const decision = strictest(effects.map((effect) => effect.decision));
  const strict = effects.filter((effect) => effect.decision === decision);
  const { by, reason } = strict.find((effect) => effect.reason !== undefined) ?? strict[0]!;
  return { decision, by, ...(reason === undefined ? {} : { reason }), effects: shown.map(plainEffect) };
}

function plainEffect({ kind, subject, decision, by, reason }: RuledEffect): JudgedEffect {
  return { kind, subject, decision, by, ...(reason === undefined ? {} : { reason }) };
}

/** A guard's *ask* outlives `--approve all`; where nobody may be asked it is a denial. */
function underNone(context: JudgeContext, effect: RuledEffect): RuledEffect {
  return context.approve === 'none' ? { ...effect, decision: 'deny' } : effect;
}

function takeApart(context: JudgeContext, effect: Effect): ShellLine | { readonly deeds: readonly Deed[] } {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return { deeds: [pathDeed(effect.kind, effect.path)] };
    case 'network':
      return { deeds: [{ kind: 'network', subject: effect.host, faces: [{ safe: [effect.host], loose: [] }] }] };
    case 'execute':
      if ('tool' in effect) return { deeds: [foreignDeed(effect.tool, effect.arguments)] };
      return readShellLine(effect.command, effect.shell, effect.cwd.abs, {
        root: context.root,
        readable: (path) => readable(context, path),
        hidden: context.history.hidden,
      });
  }
}
