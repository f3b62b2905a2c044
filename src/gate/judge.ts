import type { Root } from '../workspace/path.ts';
import type { AlwaysStyle } from './always.ts';
import type { Deed } from './deed.ts';
import { defaultDecision, secretRow } from './defaults.ts';
import type { Grant, Grants } from './grants.ts';
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
  const findings = deed.faces.flatMap((face) => judgeFace(context, call, deed, face));
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

/** What rows, grants and defaults say of one face of a deed. */
export function judgeFace(context: JudgeContext, call: JudgedCall, deed: Deed, face: Face): Finding[] {
  const findings: Finding[] = [];
  findings.push(...judgeSecret(context, deed, face));
  const ruling = context.trusted.rule(call.tool, deed.kind, face);
  findings.push(ownFinding(context, call, deed, face, ruling));
  findings.push(...approverFindings(context, call.tool, deed, face));
  findings.push(...crossFindings(deed, ruling, call));
  const stricter = context.untrusted.rule(call.tool, deed.kind, face);
  if (stricter.own !== undefined) findings.push(ofRow(stricter.own));
  findings.push(...crossFindings(deed, stricter, call));
  return findings;
}

/** Beside a row of the table, the approver must agree; its deny rows bind other tools' effects of the same kind. */
export function approverFindings({ approver }: JudgeContext, tool: string, deed: Deed, face: Face): Finding[] {
  if (approver === undefined) return [];
  const refused = toolsOf(deed.kind).map((other) => (other === tool ? undefined : approver.refuse(other, face)));
  return [approver.rule(tool, face), ...refused.filter((ruling) => ruling !== undefined)];
}

/** The built-in denial of reading secrets. */
export function judgeSecret(context: JudgeContext, deed: Deed, face: Face): Finding[] {
  const secret = deed.kind === 'read' ? secretRow(context.secrets, face) : undefined;
  return secret === undefined ? [] : [ofSecret(secret)];
}

function ownFinding(context: JudgeContext, call: JudgedCall, deed: Deed, face: Face, { own }: Ruling): Finding {
  if (own === undefined || own.decision === 'ask') {
    const granted = context.grants.find(call.tool, face, own);
    if (granted !== undefined)
      return { decision: 'allow', by: `grant: ${granted.pattern}`, row: grantRow(granted), grant: granted };
  }
  if (own !== undefined) return ofRow(own);
  return context.approver?.rule(call.tool, face) ?? byDefault(call, deed.kind);
}

function grantRow({ tool, pattern }: Grant): Row {
  return { tool, pattern, decision: 'allow' };
}

export function crossFindings(deed: Deed, ruling: Ruling, call: JudgedCall): Finding[] {
  const named = ruling.own?.decision === 'allow' && call.tool !== 'bash';
  return ruling.crossing.filter((row) => !(named && deed.kind === 'execute' && isForeignDefault(row))).map(ofRow);
}

function byDefault(call: JudgedCall, kind?: Deed['kind']): Finding {
  const decision = defaultDecision(call, kind);
  return { decision, by: `default: ${call.tool} is ${decision === 'allow' ? 'allowed' : 'asked'}` };
}

export function ofRow(row: Row): Finding {
  return { row, decision: row.decision, by: nameRow(row), ...(row.reason === undefined ? {} : { reason: row.reason }) };
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
