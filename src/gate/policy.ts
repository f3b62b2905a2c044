import type { FilePath } from '../workspace/path.ts';
import { openRoot } from '../workspace/path.ts';
import { pathFaces } from './deed.ts';
import { secretRow, secretRows } from './defaults.ts';
import { deedsOf } from './effects.ts';
import { createGrants, type Grants } from './grants.ts';
import { type ApproveMode, type JudgeContext, judgeBare, judgeDeed } from './judge.ts';
import { lastMatch, type Row } from './rule.ts';
import { createTables } from './tables.ts';
import type { JudgedCall, JudgedEffect, Policy, Verdict } from './verdict.ts';
import { strictest } from './verdict.ts';

export interface PolicyOptions {
  /** The workspace folder. */
  readonly root: string;
  /** Rows in the order of their layers: defaults of the dialect, user file, project file, environment, flags. */
  readonly rows?: readonly Row[];
  /** Default `ask`. */
  readonly approve?: ApproveMode;
  /** True: nothing but reading (`--plan`). */
  readonly readOnly?: boolean;
  /** Grants of the session; shared with the policies of subagents. */
  readonly grants?: Grants;
  /** Does `A` name the same file as `a`? Default: on macOS and Windows. */
  readonly foldsCase?: boolean;
}

/** The policy of a session: rules, grants, guards, and what reading may see. */
export interface GatePolicy extends Policy {
  /** False for a file whose reading is denied, by its real or its given name; workspaces hide these. */
  visible(path: FilePath): boolean;
  readonly grants: Grants;
  /** The same rules under another way of approving; grants are shared. A subagent runs under `none`. */
  withApprove(approve: ApproveMode): GatePolicy;
}

export function createPolicy(options: PolicyOptions): GatePolicy {
  const rows = options.rows ?? [];
  const foldsCase = options.foldsCase ?? (process.platform === 'darwin' || process.platform === 'win32');
  const grants = options.grants ?? createGrants();
  const context: JudgeContext = {
    root: openRoot(options.root),
    foldsCase,
    grants,
    approve: options.approve ?? 'ask',
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
  };
  return {
    judge: (call) => judgeCall(context, call),
    grant: (tool, pattern) => void grants.add({ tool, pattern }),
    grants,
    visible: (path) => readable(context, path),
    withApprove: (approve) => createPolicy({ ...options, approve, grants }),
  };
}

function judgeCall(context: JudgeContext, call: JudgedCall): Verdict {
  const deeds = deedsOf(call, context);
  const effects = deeds.map((deed) => judgeDeed(context, call, deed));
  if (effects.length === 0) return { ...judgeBare(context, call), effects: [] };
  const decision = strictest(effects.map((effect) => effect.decision));
  const decisive = effects.find((effect) => effect.decision === decision)!;
  return verdictOf(decisive, effects);
}

function verdictOf(decisive: JudgedEffect, effects: readonly JudgedEffect[]): Verdict {
  const { decision, by, reason } = decisive;
  return { decision, by, ...(reason === undefined ? {} : { reason }), effects };
}

function readable(context: JudgeContext, path: FilePath): boolean {
  return pathFaces(path).every((face) => {
    if (secretRow(context.secrets, face, context.foldsCase) !== undefined) return false;
    return ['read_file', 'read'].every((tool) =>
      [context.trusted, context.untrusted].every(
        (tables) => lastMatch(tables.own(tool), face, context.foldsCase)?.decision !== 'deny',
      ),
    );
  });
}
