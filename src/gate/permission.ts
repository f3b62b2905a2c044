import * as z from 'zod';
import { nameRow, type Row, type RowOrigin, rowMatches } from './rule.ts';

const decisionSchema = z.enum(['allow', 'ask', 'deny']);

const rowSchema = z.strictObject({
  decision: decisionSchema,
  reason: z.string().optional(),
  examples: z.strictObject({ match: z.array(z.string()).optional(), not: z.array(z.string()).optional() }).optional(),
});

/**
 * The `permission` section of a config file: tool → decision, or an ordered table of pattern → decision (or a row with
 * a reason and examples).
 *
 * @example
 * { "bash": { "*": "ask", "git *": "allow" }, "write_file": "ask" }
 */
export const permissionSchema = z.record(
  z.string(),
  z.union([decisionSchema, z.record(z.string(), z.union([decisionSchema, rowSchema]))]),
);

export type Permission = z.infer<typeof permissionSchema>;

export interface RowSource {
  readonly file: string;
  /** The line a row stands in, counted from 1; `pattern` is undefined for a tool's bare decision. */
  readonly line?: (tool: string, pattern: string | undefined) => number | undefined;
  /** True for a project nobody has trusted yet. */
  readonly untrusted?: boolean;
}

/** The rows of a `permission` section, in the order they are written. */
export function rowsOf(permission: Permission, source?: RowSource): Row[] {
  return Object.entries(permission).flatMap(([tool, table]) => {
    if (typeof table === 'string') return [rowOf(tool, undefined, { decision: table }, source)];
    return Object.entries(table).map(([pattern, row]) =>
      rowOf(tool, pattern, typeof row === 'string' ? { decision: row } : row, source),
    );
  });
}

type RowData = z.infer<typeof rowSchema>;

function rowOf(tool: string, pattern: string | undefined, data: RowData, source: RowSource | undefined): Row {
  const { decision, reason, examples } = data;
  return {
    tool,
    pattern: pattern ?? '*',
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(examples === undefined ? {} : { examples: withoutUndefined(examples) }),
    ...(source === undefined ? {} : { origin: originOf(source, tool, pattern) }),
    ...(source?.untrusted ? { untrusted: true } : {}),
  };
}

function originOf({ file, line }: RowSource, tool: string, pattern: string | undefined): RowOrigin {
  const at = line?.(tool, pattern);
  return at === undefined ? { file } : { file, line: at };
}

function withoutUndefined({ match, not }: NonNullable<RowData['examples']>): NonNullable<Row['examples']> {
  return { ...(match === undefined ? {} : { match }), ...(not === undefined ? {} : { not }) };
}

/** A row of a command-line flag, `--allow TOOL:PATTERN` or `--deny TOOL:PATTERN`; undefined when the text has no tool. */
export function flagRow(decision: 'allow' | 'deny', text: string): Row | undefined {
  const colon = text.indexOf(':');
  const tool = colon < 0 ? text : text.slice(0, colon);
  if (tool.trim() === '') return undefined;
  const pattern = colon < 0 ? '*' : text.slice(colon + 1);
  return { tool, pattern, decision, origin: { file: `--${decision}` } };
}

/** An example that a row contradicts, told as an error of the file. */
export interface BrokenExample {
  readonly row: Row;
  readonly example: string;
  readonly message: string;
}

/** Holds every row against its own examples, by the pattern alone; empty when all are right. */
export function checkExamples(rows: readonly Row[], foldsCase = false): readonly BrokenExample[] {
  return rows.flatMap((row) => [
    ...(row.examples?.match ?? [])
      .filter((example) => !matchesText(row, example, foldsCase))
      .map((example) => broken(row, example, true)),
    ...(row.examples?.not ?? [])
      .filter((example) => matchesText(row, example, foldsCase))
      .map((example) => broken(row, example, false)),
  ]);
}

function matchesText(row: Row, text: string, foldsCase: boolean): boolean {
  return rowMatches(row, { safe: [text], loose: [text.slice(text.lastIndexOf('/') + 1)] }, foldsCase);
}

function broken(row: Row, example: string, expected: boolean): BrokenExample {
  const message = `${nameRow(row)} ${expected ? 'does not match' : 'matches'} its example ${JSON.stringify(example)}. Change the pattern or the example.`;
  return { row, example, message };
}
