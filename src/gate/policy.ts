import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FilePath } from '../workspace/path.ts';
import { openRoot } from '../workspace/path.ts';
import type { AlwaysStyle } from './always.ts';
import { deniedPatterns, secretRows } from './defaults.ts';
import { type Explanation, explainVerdict } from './explain.ts';
import { createGrants, type Grants, grantsOfMoment } from './grants.ts';
import { enabledGuards } from './guards.ts';
import { openHistory } from './history.ts';
import type { ApproveMode, JudgeContext, RuledEffect } from './judge.ts';
import { ruleCall, takeCallApart, verdictOf } from './judge-call.ts';
import { problemOfGrant, withOffer } from './offer.ts';
import { isReadable, namedFace, readable, searchable } from './readable.ts';
import { type ApproverConfig, createRousseauRules } from './rousseau-rules.ts';
import type { Row } from './rule.ts';
import { createTables } from './tables.ts';
import type { JudgedCall, Policy, Verdict } from './verdict.ts';

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
  /** Absolute paths of the files that these rules come from: no call changes them. */
  readonly settings?: readonly string[];
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
    settings: (options.settings ?? []).flatMap((file) => [...new Set([file, realName(file)])]),
  };
  const moment = grantsOfMoment(grants);
  const momentary: JudgeContext = { ...context, grants: moment.grants };
  /** A call is judged by the grants of one moment. */
  const now = (): JudgeContext => {
    moment.renew();
    return momentary;
  };
  return {
    judge: (call) => judgeCall(now(), call),
    explain: (call) => explainVerdict(call, foresee(now(), call)),
    foresee: (call) => foresee(now(), call),
    prepare: (call) => lookAhead(context, call),
    grant: (tool, pattern, terms) => void grants.add({ ...terms, tool, pattern }),
    grantProblem: (call, pattern) => problemOfGrant(now(), call, pattern),
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
  if (verdict.decision === 'allow') useGrants(context, ruled);
  return withOffer(context, call, taken, verdict);
}

function foresee(context: JudgeContext, call: JudgedCall): Verdict {
  const taken = takeCallApart(context, call);
  const ruled = ruleCall(context, call, taken);
  return withOffer(context, call, taken, verdictOf(ruled, call.effects.length === 0 ? [] : ruled));
}

/** However many effects of a call a grant covers, it is one use of it. */
function useGrants({ grants }: JudgeContext, ruled: readonly RuledEffect[]): void {
  for (const id of new Set(ruled.flatMap(({ grant }) => grant?.id ?? []))) grants.use(id);
}

/** Only commands of git can show what was committed once. */
async function lookAhead(context: JudgeContext, { effects }: JudgedCall): Promise<void> {
  const texts = effects.flatMap((effect) => ('command' in effect ? effect.command : []));
  if (!texts.some((text) => /\bgit\b/.test(text))) return;
  await context.history.look({ untracked: texts.some((text) => /\b(?:add|stage|stash)\b/.test(text)) });
}
