import type { Effect } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { openRoot } from '../workspace/path.ts';
import { type Deed, foreignDeed, pathDeed, pathFaces } from './deed.ts';
import { secretRow, secretRows } from './defaults.ts';
import { createGrants, type Grants } from './grants.ts';
import { enabledGuards, refusals } from './guards.ts';
import { type ApproveMode, type Finding, type JudgeContext, judgeBare, judgeDeed } from './judge.ts';
import { judgeShell } from './judge-shell.ts';
import { lastMatch, type Row } from './rule.ts';
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
    guards: enabledGuards(options.plugins),
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
  if (call.effects.length === 0) return { ...plainFinding(judgeBare(context, call)), effects: [] };
  const lines: ShellLine[] = [];
  const deeds: Deed[] = [];
  const effects = call.effects.flatMap((effect) => {
    const taken = takeApart(context, effect);
    deeds.push(...taken.deeds);
    if (!('text' in taken)) return taken.deeds.map((deed) => judgeDeed(context, call, deed));
    lines.push(taken);
    return judgeShell(context, call, taken);
  });
  const refused = refusals(context.guards, deeds, lines, context.root).map((effect) => underNone(context, effect));
  return verdictOf([...refused, ...effects.map(plainEffect)]);
}

/** Guards come first, so of equally strict answers theirs is told. */
function verdictOf(effects: readonly JudgedEffect[]): Verdict {
  const decision = strictest(effects.map((effect) => effect.decision));
  const decisive = effects.find((effect) => effect.decision === decision)!;
  return { ...plainFinding(decisive), effects };
}

function plainFinding({ decision, by, reason }: Finding): Finding {
  return { decision, by, ...(reason === undefined ? {} : { reason }) };
}

function plainEffect({ kind, subject, ...finding }: JudgedEffect): JudgedEffect {
  return { kind, subject, ...plainFinding(finding) };
}

/** A guard's *ask* outlives `--approve all`; where nobody may be asked it is a denial. */
function underNone(context: JudgeContext, effect: JudgedEffect): JudgedEffect {
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
      });
  }
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
