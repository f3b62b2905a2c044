import type { Deed } from './deed.ts';
import { approve, type Finding, type JudgeContext, judgeCrossing, type RuledEffect, strictestOf } from './judge.ts';
import { refuseRules } from './protect.ts';
import { toolsOf } from './tables.ts';
import type { JudgedCall } from './verdict.ts';

/**
 * Judges a file that a command, which was allowed to run, has written or deleted in a view. It may do what nobody forbids:
 * *deny* and *ask* rows for writing and deleting bind it like any tool. Lock files and generated trees are its own; the rules
 * that a project has for benchdog are not.
 */
export function judgeDone(context: JudgeContext, call: JudgedCall, deed: Deed): RuledEffect {
  const refused = context.guards.has('protect') ? refuseRules(deed) : undefined;
  if (refused !== undefined) return { kind: deed.kind, subject: deed.subject, ...refused };
  const findings: Finding[] = [{ decision: 'allow', by: `the command of ${call.tool}` }];
  for (const face of deed.faces) {
    for (const tables of [context.trusted, context.untrusted]) {
      const { crossing } = tables.rule(call.tool, deed.kind, face);
      judgeCrossing(deed, { crossing }, call, findings);
    }
    findings.push(...toolsOf(deed.kind).flatMap((tool) => context.approver?.refuse(tool, face) ?? []));
  }
  return { kind: deed.kind, subject: deed.subject, ...approve(context, deed, call, strictestOf(findings)) };
}
