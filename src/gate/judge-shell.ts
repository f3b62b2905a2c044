import type { Cover, Deed } from './deed.ts';
import {
  approve,
  type Finding,
  type JudgeContext,
  judgeCrossing,
  judgeFace,
  judgeSecret,
  ofRow,
  planOnly,
  type RuledEffect,
  strictestOf,
} from './judge.ts';
import { overlaps } from './overlap.ts';
import { type Face, isCatchAll, lastMatch, nameRow, type Row, rowMatches } from './rule.ts';
import type { ShellLine } from './shell/line.ts';
import { toolsOf } from './tables.ts';
import type { JudgedCall } from './verdict.ts';

/** Judges a shell line: its commands by their rows, the files they touch by the row that covers them. */
export function judgeShell(context: JudgeContext, call: JudgedCall, line: ShellLine): RuledEffect[] {
  const whole = wholeLine(context, call, line);
  const byCommand = new Map<string, Finding>();
  const commands = line.deeds.map((deed) => {
    if (deed.kind !== 'execute') return undefined;
    const finding = strictestOf(judgeCommand(context, call, deed, whole));
    const before = byCommand.get(deed.subject);
    byCommand.set(deed.subject, before === undefined ? finding : strictestOf([before, finding]));
    return finding;
  });
  return line.deeds.map((deed, at) => {
    const finding = commands[at] ?? strictestOf(judgeFile(context, call, deed, whole, byCommand));
    return { kind: deed.kind, subject: deed.subject, ...approve(context, deed, call, finding) };
  });
}

/** A row or grant for exactly this line, or the row for everything. */
interface WholeLine {
  readonly exact?: Finding;
  readonly everything?: Finding;
}

function wholeLine(context: JudgeContext, call: JudgedCall, line: ShellLine): WholeLine {
  const own = context.trusted.own(call.tool);
  const exact = own.findLast((row) => row.pattern === line.text && !isCatchAll(row));
  const everything = own.findLast(isCatchAll);
  const granted = exact === undefined ? context.grants.exact(call.tool, line.text) : undefined;
  const finding: Finding | undefined =
    granted !== undefined
      ? { decision: 'allow', by: `grant: ${granted.pattern}`, grant: granted }
      : exact && ofRow(exact);
  return {
    ...(finding?.decision === 'allow' ? { exact: finding } : {}),
    ...(everything?.decision === 'allow' ? { everything: ofRow(everything) } : {}),
  };
}

function judgeCommand(context: JudgeContext, call: JudgedCall, deed: Deed, whole: WholeLine): Finding[] {
  const findings: Finding[] = [];
  judgeDoubt(deed, findings);
  judgeNamed(context, call, deed, whole, findings);
  if (deed.hints !== undefined) findings.push(...hintedRows(context, call, deed.hints));
  if (deed.open !== undefined && whole.exact === undefined) findings.push(...openRows(context, call, deed, deed.open));
  if (context.readOnly) findings.push(planOnly);
  return findings;
}

/** A row that refuses may mean what the command turns out to be, unless a later row allows all of it. */
function openRows(context: JudgeContext, call: JudgedCall, { faces }: Deed, open: string): Finding[] {
  return [context.trusted, context.untrusted].flatMap((tables): Finding[] => {
    const rows = tables.refusing(call.tool).length === 0 ? [] : tables.own(call.tool);
    const named = rows.findLast((row) => {
      if (row.decision === 'allow') return faces.some((face) => rowMatches(row, face));
      return speaksOfOne(row) && overlaps(row.pattern, open);
    });
    if (named === undefined || named.decision === 'allow') return [];
    return [
      { decision: 'ask', by: nameRow(named), reason: 'what it runs is known only when it runs, and may be this' },
    ];
  });
}

/** A row that begins with a wildcard says nothing of the program: it could mean every command with a variable. */
function speaksOfOne({ pattern }: Row): boolean {
  return !/^[*?]/.test(pattern);
}

/** A row that refuses may mean what a program nobody knows is told to run. */
function hintedRows(context: JudgeContext, call: JudgedCall, hints: () => readonly string[]): Finding[] {
  return [context.trusted, context.untrusted].flatMap((tables) => {
    const rows = tables.refusing(call.tool);
    if (rows.length === 0) return [];
    return hints().flatMap((hint): Finding[] => {
      const row = lastMatch(rows, { safe: [hint], loose: [] }, false);
      return row === undefined ? [] : [{ decision: 'ask', by: nameRow(row), reason: `it may run ${hint}` }];
    });
  });
}

function judgeNamed(
  context: JudgeContext,
  call: JudgedCall,
  deed: Deed,
  { exact }: WholeLine,
  findings: Finding[],
): void {
  const from = findings.length;
  for (const face of deed.faces) judgeFace(context, call, deed, face, findings);
  if (findings.length === from) findings.push(unjudged);
  if (exact === undefined && deed.passive === undefined) return;
  for (let at = from; at < findings.length; at += 1) {
    const finding = findings[at]!;
    if (isOpen(finding)) findings[at] = exact ?? passing;
    else if (exact === undefined && deed.passive === 'wrapper' && isForAll(finding)) findings[at] = passing;
  }
}

function isForAll({ row }: Finding): boolean {
  return row !== undefined && isCatchAll(row);
}

/** Nothing is said of it: what else is known decides. */
const unjudged: Finding = { decision: 'allow', by: 'built-in: shell' };
const passing: Finding = { decision: 'allow', by: 'built-in: shell, it does nothing by itself' };

/** Asked only because no row names it. */
function isOpen({ decision, row }: Finding): boolean {
  return decision === 'ask' && (row === undefined || isCatchAll(row));
}

function judgeFile(
  context: JudgeContext,
  call: JudgedCall,
  deed: Deed,
  whole: WholeLine,
  byCommand: ReadonlyMap<string, Finding>,
): Finding[] {
  const findings: Finding[] = [];
  judgeDoubt(deed, findings);
  findings.push(covered(deed, whole, byCommand));
  for (const face of deed.faces) {
    judgeSecret(context, deed, face, findings);
    findings.push(...approverRefusals(context, deed, face));
    judgeCrossing(deed, context.trusted.rule(call.tool, deed.kind, face), call, findings);
    judgeCrossing(deed, context.untrusted.rule(call.tool, deed.kind, face), call, findings);
  }
  return context.readOnly && deed.kind !== 'read' ? [planOnly, ...findings] : findings;
}

function approverRefusals({ approver }: JudgeContext, deed: Deed, face: Face): Finding[] {
  if (approver === undefined) return [];
  return toolsOf(deed.kind).flatMap((tool) => approver.refuse(tool, face) ?? []);
}

function judgeDoubt({ doubt, unread }: Deed, findings: Finding[]): void {
  if (doubt !== undefined) findings.push({ decision: unread ? 'deny' : 'ask', by: 'built-in: shell', reason: doubt });
}

function covered(deed: Deed, whole: WholeLine, byCommand: ReadonlyMap<string, Finding>): Finding {
  if (deed.kind === 'read') return { decision: 'allow', by: 'default: reading is allowed' };
  const cover = deed.cover;
  if (cover?.by === 'vouched') return unjudged;
  const finding = whole.exact ?? (cover === undefined ? undefined : coveringRow(cover, whole, byCommand));
  if (finding !== undefined) return finding;
  return {
    decision: 'ask',
    by: 'default: bash is asked',
    reason: `no row covers that it ${verbs[deed.kind]} ${deed.subject}`,
  };
}

const verbs: Readonly<Record<Deed['kind'], string>> = {
  read: 'reads',
  write: 'writes',
  delete: 'deletes',
  execute: 'runs',
  network: 'reaches',
};

function coveringRow(
  cover: Exclude<Cover, { by: 'vouched' }>,
  whole: WholeLine,
  byCommand: ReadonlyMap<string, Finding>,
): Finding | undefined {
  if (cover.by === 'line') return whole.everything;
  const finding = byCommand.get(cover.command);
  if (finding?.reason !== undefined && finding.decision !== 'allow') return finding;
  if (finding?.decision !== 'allow') return undefined;
  if (cover.by === 'command' || whole.everything !== undefined) return finding;
  return spells(finding.row, cover.word) ? finding : undefined;
}

/** `sed -i *` spells `-i`, so it covers the files that `-i` writes. */
function spells(row: Row | undefined, word: string): boolean {
  return row?.pattern.split(/[\s=]+/).includes(word) ?? false;
}
