import { matchWildcard } from '../base/wildcard.ts';
import { secretPatterns } from './defaults.ts';
import { isCatchAll, nameRow, type Row } from './rule.ts';
import { interpreters, shells } from './shell/interpreters.ts';

/**
 * What is wrong with a row.
 *
 * - `dead`: a later row of the same table matches everything it matches, so it never decides
 * - `repeated`: an earlier row says the same for more
 * - `wide`: it allows running code, or everything
 * - `useless`: it can't do what it seems to
 * - `unknown`: no tool has that name
 */
export interface LintFinding {
  readonly kind: 'dead' | 'repeated' | 'wide' | 'useless' | 'unknown';
  readonly row: Row;
  readonly message: string;
}

/** Finds dead, shadowed and over-wide rows. `tools` are the names on offer, to find misspelt ones. */
export function lintRows(rows: readonly Row[], tools?: readonly string[]): readonly LintFinding[] {
  return rows.flatMap((row, at) => [
    ...deadRow(rows, row, at),
    ...repeatedRow(rows, row, at),
    ...wideRow(row),
    ...uselessRow(row),
    ...(tools === undefined ? [] : unknownTool(row, tools)),
  ]);
}

function deadRow(rows: readonly Row[], row: Row, at: number): LintFinding[] {
  const later = rows.slice(at + 1).find((next) => next.untrusted === row.untrusted && includes(next, row));
  if (later === undefined) return [];
  return [
    {
      kind: 'dead',
      row,
      message: `${nameRow(row)} never decides: ${nameRow(later)} comes later and matches all it matches.`,
    },
  ];
}

/** Does `wide` match whatever `narrow` matches, for every tool of it? Sure when true; patterns may overlap unseen. */
function includes(wide: Row, narrow: Row): boolean {
  return matchWildcard(wide.tool, narrow.tool) && covers(wide.pattern, narrow.pattern);
}

/** A pattern covers another when it matches it as a text whose wildcards only its own stars may take in. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  // A star stands for text that holds anything, so only a star matches it; a `?` stands for one character.
  const probe = narrow.replaceAll('*', '\u0001\u0002').replaceAll('?', '\u0003');
  return matchWildcard(wide, probe) && matchWildcard(wide, narrow.replaceAll('*', '').replaceAll('?', '\u0003'));
}

function repeatedRow(rows: readonly Row[], row: Row, at: number): LintFinding[] {
  for (let before = at - 1; before >= 0; before -= 1) {
    const earlier = rows[before]!;
    if (earlier.tool !== row.tool || earlier.untrusted !== row.untrusted) continue;
    if (includes(earlier, row) && earlier.decision === row.decision) {
      return [{ kind: 'repeated', row, message: `${nameRow(row)} says what ${nameRow(earlier)} says already.` }];
    }
    if (earlier.decision !== row.decision) return [];
  }
  return [];
}

function wideRow(row: Row): LintFinding[] {
  if (row.decision !== 'allow') return [];
  const why = widthOf(row);
  return why === undefined ? [] : [{ kind: 'wide', row, message: `${nameRow(row)} ${why}` }];
}

function widthOf(row: Row): string | undefined {
  if (row.tool === '*' && isCatchAll(row)) return 'allows every tool everything.';
  if (row.tool !== 'bash') return undefined;
  if (isCatchAll(row)) return 'allows every command. Name the ones you mean.';
  const name = /^([\w./+-]*)\s?\*$/.exec(row.pattern)?.[1];
  if (name === undefined) return undefined;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (shells.has(base) || Object.hasOwn(interpreters, base) || runners.has(base)) {
    return `allows any code: ${base} runs what it is given. Name the script or sub-command.`;
  }
  return row.pattern === `${name}*` && !name.includes(' ')
    ? `matches every program whose name begins with ${name}. Write "${name} *".`
    : undefined;
}

const runners: ReadonlySet<string> = new Set(
  'sudo doas env xargs npx bunx npm pnpm yarn bun make docker podman ssh eval exec find uv poetry'.split(' '),
);

function uselessRow(row: Row): LintFinding[] {
  if (row.decision === 'allow' && row.tool === 'bash' && /[;&|<>]/.test(row.pattern)) {
    return [
      {
        kind: 'useless',
        row,
        message: `${nameRow(row)}: each command of a line is judged by itself, so a pattern with ; & | < or > only matches its exact line.`,
      },
    ];
  }
  const reads = row.tool === 'read_file' || row.tool === 'read';
  const secret = secretPatterns.find(
    ({ pattern, decision }) => decision === 'deny' && pattern !== row.pattern && covers(pattern, row.pattern),
  );
  if (row.decision !== 'deny' && reads && secret !== undefined) {
    return [
      {
        kind: 'useless',
        row,
        message: `${nameRow(row)} does not lift the built-in denial of ${secret.pattern}; only a row with that very pattern does.`,
      },
    ];
  }
  return [];
}

function unknownTool(row: Row, tools: readonly string[]): LintFinding[] {
  if (row.tool.startsWith('mcp__') || tools.some((tool) => matchWildcard(row.tool, tool))) return [];
  return [{ kind: 'unknown', row, message: `${nameRow(row)}: there is no tool ${row.tool} here.` }];
}
