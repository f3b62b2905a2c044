import type { Decision, JudgedCall, JudgedEffect, Verdict } from './verdict.ts';

/** What `policy why` prints: every effect, what decided it, and what would change it. */
export interface Explanation {
  readonly decision: Decision;
  readonly by: string;
  readonly reason?: string;
  readonly effects: readonly JudgedEffect[];
  /** One sentence for each thing that stands between the call and an *allow*; none when it is allowed. */
  readonly change: readonly string[];
}

/** Explains a verdict. */
export function explainVerdict(call: JudgedCall, verdict: Verdict): Explanation {
  const { decision, by, reason, effects } = verdict;
  const hindering = effects.length > 0 ? effects.filter((effect) => effect.decision !== 'allow') : [];
  const bare =
    effects.length === 0 && decision !== 'allow'
      ? [adviceFor(call, { kind: 'execute', subject: call.subject, by })]
      : [];
  const change = [...hindering.map((effect) => adviceFor(call, effect)), ...bare];
  return {
    decision,
    by,
    ...(reason === undefined ? {} : { reason }),
    effects,
    change: [...new Set(change)],
  };
}

function adviceFor(call: JudgedCall, { kind, subject, by }: Pick<JudgedEffect, 'kind' | 'subject' | 'by'>): string {
  const secret = /^built-in: secrets (".*")$/.exec(by)?.[1];
  if (secret !== undefined) return `A row "read_file": { ${secret}: "allow" } would let it be read.`;
  if (by.startsWith('permission.'))
    return `Change or remove the row ${by}, or put a later row that matches ${quote(subject)} behind it.`;
  if (/^(?:guard|secrets|protect):/.test(by)) {
    const guard = by.slice(0, by.indexOf(':'));
    return `"plugins": ["-${guard}"] in the user's own configuration would switch the guard off; no row lifts it.`;
  }
  if (by === 'default: bash is asked' && kind !== 'execute')
    return 'A row for this very line, or for everything, would allow it.';
  if (by.startsWith('built-in: shell'))
    return 'No row lifts it: write the command so that it can be read, or approve it each time.';
  if (by.startsWith('approver.')) return `Change ${by.split(' ')[0]} in the configuration.`;
  if (by.startsWith('--')) return `Run without ${by.split(',')[0]}.`;
  if (by.endsWith('--approve none')) return 'Run where somebody can be asked, or allow it by a row.';
  return `A row "${call.tool}": { ${quote(subject)}: "allow" } would allow it.`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
