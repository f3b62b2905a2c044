import type { App } from '../app.ts';
import { unknownName } from '../base/suggest.ts';
import { nobody } from '../gate/approver.ts';
import { type AuditRecord, readAudit } from '../gate/audit.ts';
import { type Explanation, explainVerdict } from '../gate/explain.ts';
import type { Grant } from '../gate/grants.ts';
import { lintRows } from '../gate/lint.ts';
import { checkExamples } from '../gate/permission.ts';
import { auditFile } from '../workspace-logs.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

/** `benchdog policy why TOOL JSON [--json]` */
export async function runWhy(io: Io, tool: string, args: string | undefined, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'policy', approver: nobody }, async (app) => {
    const { call, verdict } = await app.gate.judge({ tool, args: args ?? '' });
    const explanation = explainVerdict(call, verdict);
    io.stdout.write(flags.json ? `${JSON.stringify(explanation)}\n` : inWords(explanation));
    return exitCodes.done;
  });
}

/** `benchdog policy test | lint | log` */
export async function runPolicy(io: Io, what: 'test' | 'lint' | 'log', flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'policy', approver: nobody }, async (app) => {
    if (what === 'log') return showLog(io, app, flags.json ?? false);
    const findings = what === 'test' ? checkExamples(app.rows) : lintRows(app.rows, toolNames(app));
    for (const finding of findings) {
      io.stdout.write(flags.json ? `${JSON.stringify(finding)}\n` : `${finding.message}\n`);
    }
    if (findings.length === 0 && !flags.json) io.stdout.write(allWell(app, what));
    return findings.length === 0 ? exitCodes.done : exitCodes.failed;
  });
}

function toolNames(app: App): string[] {
  return app.registry.list().map(({ name }) => name);
}

function allWell({ rows }: App, what: 'test' | 'lint'): string {
  if (what === 'lint') return `${rows.length} rows, nothing to say about them.\n`;
  const examples = rows.flatMap((row) => [...(row.examples?.match ?? []), ...(row.examples?.not ?? [])]);
  return `${examples.length} examples in ${rows.length} rows, all as they say.\n`;
}

function inWords({ decision, by, reason, effects, change }: Explanation): string {
  const lines = [`${decision}, by ${by}${reason === undefined ? '' : `: ${reason}`}`];
  for (const effect of effects) lines.push(`  ${effect.kind} ${effect.subject}: ${effect.decision}, by ${effect.by}`);
  if (change.length > 0) lines.push('What would change it:', ...change.map((one) => `  ${one}`));
  return `${lines.join('\n')}\n`;
}

/** `benchdog policy grants [--json]`: what was allowed for good in this workspace. */
export async function runGrants(io: Io, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'policy', approver: nobody }, async ({ policy }) => {
    const grants = policy.grants.list();
    for (const grant of grants) io.stdout.write(flags.json ? `${JSON.stringify(grant)}\n` : grantLine(grant));
    if (grants.length === 0 && !flags.json) io.stdout.write('No grants are stored for this workspace.\n');
    return exitCodes.done;
  });
}

/** `benchdog policy revoke ID | all` */
export async function runRevoke(io: Io, id: string, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'policy', approver: nobody }, async ({ policy }) => {
    const ids = policy.grants.list().map((grant) => grant.id);
    const chosen = id === 'all' ? ids : [id];
    for (const one of chosen) {
      if (!policy.grants.revoke(one)) throw new UsageError(unknownName('grant', one, [...ids, 'all']));
    }
    const count = chosen.length === 1 ? 'One grant was' : `${chosen.length} grants were`;
    io.stdout.write(flags.json ? `${JSON.stringify({ revoked: chosen })}\n` : `${count} revoked.\n`);
    return exitCodes.done;
  });
}

function grantLine({ id, tool, pattern, uses, until }: Grant): string {
  const limits = [
    ...(uses === undefined ? [] : [uses === 1 ? 'once more' : `${uses} times more`]),
    ...(until === undefined ? [] : [`until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
  ];
  return `${id}  ${tool} ${JSON.stringify(pattern).slice(1, -1)}${limits.length > 0 ? `  (${limits.join(', ')})` : ''}\n`;
}

function showLog(io: Io, app: App, json: boolean): number {
  const { records, broken, head } = readAudit(auditFile(app.home.state, app.workspace.root));
  for (const record of records) io.stdout.write(json ? `${JSON.stringify(record)}\n` : lineOf(record));
  for (const problem of broken) io.stderr.write(`benchdog: ${problem}\n`);
  const state = broken.length === 0 ? 'chain unbroken' : 'CHAIN BROKEN';
  if (!json) io.stdout.write(`${records.length} records, ${state}, head ${head.slice(0, 16)}\n`);
  return broken.length === 0 ? exitCodes.done : exitCodes.failed;
}

function lineOf({ at, tool, subject, outcome, approver, by }: AuditRecord): string {
  const shown = JSON.stringify(subject).slice(1, -1);
  return `${at.slice(0, 19).replace('T', ' ')}  ${outcome} by ${approver}  ${tool} ${shown}  (${by})\n`;
}
