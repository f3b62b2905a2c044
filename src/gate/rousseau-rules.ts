import type { RE2JS } from 're2js';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { compileLinear } from '../base/linear-regex.ts';
import type { Face } from './rule.ts';
import type { Decision } from './verdict.ts';

const matcherSchema = z.strictObject({ tool: z.string(), match: z.string().optional() });

/** The `approver` section of the `rousseau` dialect. */
export const approverSchema = z.strictObject({
  mode: z.enum(['allow_all', 'deny_all', 'pattern']),
  default: z.enum(['deny', 'allow']).optional(),
  reason: z.string().optional(),
  allow: z.array(matcherSchema).optional(),
  deny: z.array(matcherSchema).optional(),
});

export type ApproverConfig = z.infer<typeof approverSchema>;

/** What an approver of the `rousseau` dialect says of a subject. */
export interface ApproverRuling {
  readonly decision: Exclude<Decision, 'ask'>;
  readonly by: string;
  readonly reason?: string;
}

export interface RousseauRules {
  /**
   * Deny rows, then allow rows, then the default. A deny row looks at every spelling of the subject, an allow row at
   * the safe ones.
   */
  rule(tool: string, subject: Face): ApproverRuling;
  /** The deny rows alone, which bind other tools too; undefined when none matches. */
  refuse(tool: string, subject: Face): ApproverRuling | undefined;
}

interface CompiledRow {
  readonly tool: string;
  readonly name: string;
  readonly pattern: RE2JS | undefined;
}

/** Compiles the rows; an invalid regular expression throws `invalid` and names the row. `match` is RE2 syntax. */
export function createRousseauRules(config: ApproverConfig): RousseauRules {
  const deny = (config.deny ?? []).map((row, at) => compile(row, `approver.deny[${at}]`));
  const allow = (config.allow ?? []).map((row, at) => compile(row, `approver.allow[${at}]`));
  const reason = config.reason === undefined ? {} : { reason: config.reason };
  if (config.mode !== 'pattern') {
    const decision = config.mode === 'allow_all' ? 'allow' : 'deny';
    const ruling: ApproverRuling = {
      decision,
      by: `approver.mode ${config.mode}`,
      ...(decision === 'deny' ? reason : {}),
    };
    return { rule: () => ruling, refuse: () => (decision === 'deny' ? ruling : undefined) };
  }
  const refuse: RousseauRules['refuse'] = (tool, { safe, loose }) => {
    const denied = deny.find((row) => matches(row, tool, [...safe, ...loose], true));
    return denied === undefined ? undefined : { decision: 'deny', by: denied.name, ...reason };
  };
  return {
    refuse,
    rule(tool, subject) {
      const denied = refuse(tool, subject);
      if (denied !== undefined) return denied;
      const allowed = allow.find((row) => matches(row, tool, subject.safe));
      if (allowed !== undefined) return { decision: 'allow', by: allowed.name };
      const decision = config.default ?? 'deny';
      return { decision, by: `approver.default ${decision}`, ...(decision === 'deny' ? reason : {}) };
    },
  };
}

function compile({ tool, match }: z.infer<typeof matcherSchema>, name: string): CompiledRow {
  if (match === undefined) return { tool, name, pattern: undefined };
  try {
    return { tool, name: `${name} /${match}/`, pattern: compileLinear(match) };
  } catch (error) {
    throw new ToolError('invalid', `${name}.match is no regular expression (RE2 syntax): ${(error as Error).message}`);
  }
}

const maxSubject = 64 * 1024;

function matches(row: CompiledRow, tool: string, subjects: readonly string[], lines = false): boolean {
  if (row.tool !== tool && row.tool !== '*') return false;
  return (
    row.pattern === undefined || subjects.some((subject) => found(row.pattern!, subject.slice(0, maxSubject), lines))
  );
}

/** A row that refuses looks at every line for itself, too: `^` and `$` are no way around it. */
function found(pattern: RE2JS, text: string, lines: boolean): boolean {
  if (pattern.matcher(text).find()) return true;
  return lines && text.includes('\n') && text.split('\n').some((line) => pattern.matcher(line).find());
}
