import type { Deed } from './deed.ts';
import type { Face } from './rule.ts';
import { matchesFace, type Row } from './rule.ts';
import type { Decision, JudgedCall } from './verdict.ts';

/**
 * Files whose reading is refused unless a row of `read_file` names the very pattern: a secret that reaches the context
 * is on the wire and in the session file. In order, the last match wins.
 */
export const secretPatterns: readonly { readonly pattern: string; readonly decision: Decision }[] = [
  ...[
    '*.env',
    '*.env.*',
    '*.pem',
    '*.key',
    '*.p12',
    '*.pfx',
    '*.jks',
    '*.keystore',
    '*.ppk',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ecdsa_sk',
    'id_ed25519',
    'id_ed25519_sk',
  ].map((pattern) => ({ pattern, decision: 'deny' as const })),
  { pattern: '*.env.example', decision: 'allow' },
];

/** The built-in read table: `secretPatterns` less those that a trusted row of the read tools names. */
export function secretRows(rows: readonly Row[]): readonly Row[] {
  const named = new Set(
    rows.filter((row) => !row.untrusted && readers.has(row.tool) && row.decision !== 'deny').map((row) => row.pattern),
  );
  return secretPatterns
    .filter(({ pattern, decision }) => decision === 'allow' || !named.has(pattern))
    .map(({ pattern, decision }) => ({ tool: 'read_file', pattern, decision, reason: secretReason(pattern) }));
}

/** The patterns of files whose reading a rule denies, those of secrets included. */
export function deniedPatterns(rows: readonly Row[]): readonly string[] {
  const own = rows.filter((row) => readers.has(row.tool) && row.decision === 'deny').map(({ pattern }) => pattern);
  const secrets = secretRows(rows).filter(({ decision }) => decision === 'deny');
  return [...new Set([...secrets.map(({ pattern }) => pattern), ...own])].filter((pattern) => pattern.length < 500);
}

const readers = new Set(['read_file', 'read']);

function secretReason(pattern: string): string {
  return (
    `files named ${pattern} hold secrets, and what is read here leaves the machine. Work without its content, ` +
    'or ask the user for the one value you need'
  );
}

/** The built-in row that refuses reading, if one does. In any letter case: `.ENV` and `KEY.PEM` hold what `.env` does. */
export function secretRow(rows: readonly Row[], face: Face): Row | undefined {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at]!;
    if (matchesFace(row, face, true, true)) return row.decision === 'deny' ? row : undefined;
  }
  return undefined;
}

/** What holds where no row says anything: reading and own state are allowed, everything else is asked. */
export function defaultDecision(call: JudgedCall, kind?: Deed['kind']): Decision {
  if (call.tool.startsWith('mcp__')) return 'ask';
  if (kind === undefined) return call.readOnly || !askedTools.has(call.tool) ? 'allow' : 'ask';
  return kind === 'read' ? 'allow' : 'ask';
}

const askedTools = new Set([
  'write_file',
  'edit_file',
  'multi_edit',
  'apply_patch',
  'delete_file',
  'move_file',
  'bash',
  'write',
  'edit',
]);
