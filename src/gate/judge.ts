import type { Root } from '../workspace/path.ts';
import type { AlwaysStyle } from './always.ts';
import type { Deed } from './deed.ts';
import { defaultDecision, secretRow } from './defaults.ts';
import { type Grant, type Grants, rowOfGrant } from './grants.ts';
import type { GuardName } from './guards.ts';
import type { History } from './history.ts';
import { hookedReason } from './hooked-files.ts';
import type { RousseauRules } from './rousseau-rules.ts';
import { type Face, lastMatch, nameRow, type Row } from './rule.ts';
import { isForeignDefault, type Ruling, type Tables, toolsOf } from './tables.ts';
import type { Decision, JudgedCall, JudgedEffect } from './verdict.ts';

/**
 * What becomes of an *ask*: `ask` puts it to a person, `edits` allows it for edits of the workspace, `all` allows it,
 * `none` refuses it.
 */
export type ApproveMode = 'ask' | 'edits' | 'all' | 'none';

export interface JudgeContext {
  readonly root: Root;
  readonly foldsCase: boolean;
  readonly grants: Grants;
  readonly approve: ApproveMode;
  readonly readOnly: boolean;
  readonly trusted: Tables;
  readonly untrusted: Tables;
  /** The built-in rows of secrets that no row of the user replaces. */
  readonly secrets: readonly Row[];
  readonly guards: ReadonlySet<GuardName>;
  readonly alwaysStyle: AlwaysStyle;
  readonly history: History;
  readonly own: readonly string[];
  readonly settings: readonly string[];
  /** The approver of the `rousseau` dialect: what it says counts beside the rows. */
  readonly approver?: RousseauRules;
}

/** One statement about a deed; the strictest one counts, the first among equals. */
export interface Finding {
  readonly decision: Decision;
  readonly by: string;
  readonly reason?: string;
  /** The row that said so, if one did. */
  readonly row?: Row;
  /** The grant that said so, if one did. */
  readonly grant?: Grant;
}

/** A judged effect with what decided it. */
export interface RuledEffect extends JudgedEffect {
  readonly row?: Row;
  readonly grant?: Grant;
}

/** Judges one deed of a tool that is no shell. */
export function judgeDeed(context: JudgeContext, call: JudgedCall, deed: Deed): RuledEffect {
  const findings: Finding[] = [];
  for (const face of deed.faces) judgeFace(context, call, deed, face, findings);
  if (context.readOnly && deed.kind !== 'read') findings.push(planOnly);
  const finding = approve(context, deed, call, strictestOf(findings));
  return { kind: deed.kind, subject: deed.subject, ...finding };
}

/** A call without any effect: its own rows, on its subject. */
export function judgeBare(context: JudgeContext, call: JudgedCall): Finding {
  const face = { safe: [call.subject], loose: [] };
  const findings: Finding[] = [];
  const row = lastMatch(context.trusted.own(call.tool), face, context.foldsCase);
  findings.push(row === undefined ? (context.approver?.rule(call.tool, face) ?? byDefault(call)) : ofRow(row));
  const stricter = lastMatch(context.untrusted.own(call.tool), face, context.foldsCase);
  if (stricter !== undefined) findings.push(ofRow(stricter));
  return approve(context, undefined, call, strictestOf(findings));
}

export const planOnly: Finding = {
  decision: 'deny',
  by: '--plan',
  reason: 'this run only plans: nothing may be changed or run. Describe the change instead',
};

/** Adds what rows, grants and defaults say of one face of a deed. */
export function judgeFace(context: JudgeContext, call: JudgedCall, deed: Deed, face: Face, findings: Finding[]): void {
  judgeSecret(context, deed, face, findings);
  const ruling = context.trusted.rule(call.tool, deed.kind, face);
  findings.push(ownFinding(context, call, deed, face, ruling));
  judgeByApprover(context, call.tool, deed, face, findings);
  judgeCrossing(deed, ruling, call, findings);
  const stricter = context.untrusted.rule(call.tool, deed.kind, face);
  if (stricter.own !== undefined) findings.push(ofRow(stricter.own));
  judgeCrossing(deed, stricter, call, findings);
}

/** Beside a row of the table, the approver must agree; its deny rows bind other tools' effects of the same kind. */
function judgeByApprover({ approver }: JudgeContext, tool: string, deed: Deed, face: Face, findings: Finding[]): void {
  if (approver === undefined) return;
  findings.push(approver.rule(tool, face));
  for (const other of toolsOf(deed.kind)) {
    const refused = other === tool ? undefined : approver.refuse(other, face);
    if (refused !== undefined) findings.push(refused);
  }
}

/** The built-in denial of reading secrets. */
export function judgeSecret(context: JudgeContext, deed: Deed, face: Face, findings: Finding[]): void {
  const secret = deed.kind === 'read' ? secretRow(context.secrets, face) : undefined;
  if (secret !== undefined) findings.push(ofSecret(secret));
}

function ownFinding(context: JudgeContext, call: JudgedCall, deed: Deed, face: Face, { own }: Ruling): Finding {
  if (own === undefined || own.decision === 'ask') {
    const granted = context.grants.find(call.tool, face, own);
    if (granted !== undefined)
      return { decision: 'allow', by: `grant: ${granted.pattern}`, row: rowOfGrant(granted), grant: granted };
  }
  if (own !== undefined) return ofRow(own);
  return context.approver?.rule(call.tool, face) ?? byDefault(call, deed.kind);
}

/** Adds what rows of other tools say of the same kind of effect. */
export function judgeCrossing(deed: Deed, { own, crossing }: Ruling, call: JudgedCall, findings: Finding[]): void {
  if (crossing.length === 0) return;
  const named = own?.decision === 'allow' && call.tool !== 'bash' && deed.kind === 'execute';
  for (const row of crossing) if (!(named && isForeignDefault(row))) findings.push(ofRow(row));
}

function byDefault(call: JudgedCall, kind?: Deed['kind']): Finding {
  const decision = defaultDecision(call, kind);
  return { decision, by: `default: ${call.tool} is ${decision === 'allow' ? 'allowed' : 'asked'}` };
}

const ofRows = new WeakMap<Row, Finding>();

export function ofRow(row: Row): Finding {
  let finding = ofRows.get(row);
  if (finding === undefined) {
    const reason = row.reason === undefined ? {} : { reason: row.reason };
    finding = { row, decision: row.decision, by: nameRow(row), ...reason };
    ofRows.set(row, finding);
  }
  return finding;
}

function ofSecret(row: Row): Finding {
  return { decision: 'deny', by: `built-in: secrets ${JSON.stringify(row.pattern)}`, reason: row.reason! };
}

const weight: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

export function strictestOf(findings: readonly Finding[]): Finding {
  return findings.reduce((worst, next) => (weight[next.decision] > weight[worst.decision] ? next : worst));
}

/** What becomes of an *ask* under the way of approving. */
export function approve(context: JudgeContext, deed: Deed | undefined, call: JudgedCall, finding: Finding): Finding {
  if (finding.decision !== 'ask') return finding;
  const edit = deed !== undefined && deed.kind !== 'execute' && deed.kind !== 'network' && !isShell(call);
  const hooked = edit && context.approve === 'edits' ? hookedReason(deed) : undefined;
  if (hooked !== undefined) return { decision: 'ask', by: 'built-in: files that run code', reason: hooked };
  if (context.approve === 'all' || (context.approve === 'edits' && edit)) {
    return { decision: 'allow', by: `--approve ${context.approve}` };
  }
  return context.approve === 'none'
    ? { ...finding, decision: 'deny', by: `${finding.by}, under --approve none` }
    : finding;
}

function isShell(call: JudgedCall): boolean {
  return call.effects.some((effect) => effect.kind === 'execute');
}
