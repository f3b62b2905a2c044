import { matchWildcard } from '../base/wildcard.ts';
import type { Deed } from './deed.ts';
import { type Face, isCatchAll, lastMatch, type Row } from './rule.ts';

/** What the rows say of one face of a deed. */
export interface Ruling {
  /** The last matching row of the tool's own tables. */
  readonly own?: Row;
  /** *Ask* and *deny* rows of other tools that deal with the same kind of effect, one a table. */
  readonly crossing: readonly Row[];
}

/** Permission rows, ready to be asked: the last match wins within a table. */
export interface Tables {
  rule(tool: string, kind: Deed['kind'], face: Face): Ruling;
  /** The rows a tool's subject is matched against when the call has no effect. */
  own(tool: string): readonly Row[];
  /** Those of them that refuse or ask for something by name. */
  refusing(tool: string): readonly Row[];
}

/** The effect a tool's rows speak about beyond their own tool. */
const kindsOf: Readonly<Record<string, readonly Deed['kind'][]>> = {
  read_file: ['read'],
  read: ['read'],
  write_file: ['write'],
  edit_file: ['write'],
  multi_edit: ['write'],
  apply_patch: ['write'],
  write: ['write'],
  edit: ['write'],
  delete_file: ['delete'],
  move_file: ['write', 'delete'],
  bash: ['execute'],
};

/** The tools whose rows speak about a kind of effect. */
export function toolsOf(kind: Deed['kind']): readonly string[] {
  return Object.keys(kindsOf).filter((tool) => kindsOf[tool]!.includes(kind));
}

export function createTables(rows: readonly Row[], foldsCase: boolean): Tables {
  const ownByTool = new Map<string, readonly Row[]>();
  const crossByTool = new Map<string, ReadonlyMap<Deed['kind'], readonly (readonly Row[])[]>>();
  const own = (tool: string) => cached(ownByTool, tool, () => rows.filter((row) => matchWildcard(row.tool, tool)));
  const crossing = (tool: string) => cached(crossByTool, tool, () => crossTables(rows, tool));
  const refusingByTool = new Map<string, readonly Row[]>();
  const refusing = (tool: string) =>
    cached(refusingByTool, tool, () => own(tool).filter((row) => row.decision !== 'allow' && !isCatchAll(row)));
  return {
    own,
    refusing,
    rule(tool, kind, face) {
      const row = lastMatch(own(tool), face, foldsCase);
      const others: Row[] = [];
      for (const table of crossing(tool).get(kind) ?? []) {
        const other = lastMatch(table, face, foldsCase);
        if (other !== undefined && other.decision !== 'allow') others.push(other);
      }
      return row === undefined ? { crossing: others } : { own: row, crossing: others };
    },
  };
}

/** By kind of effect, the tables of the other tools that deal with it. */
function crossTables(rows: readonly Row[], tool: string): Map<Deed['kind'], (readonly Row[])[]> {
  const tables = new Map<Deed['kind'], (readonly Row[])[]>();
  for (const [other, kinds] of Object.entries(kindsOf)) {
    const table = other === tool ? [] : rows.filter((row) => row.tool === other);
    if (table.length === 0) continue;
    for (const kind of kinds) tables.set(kind, [...(tables.get(kind) ?? []), table]);
  }
  return tables;
}

function cached<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    if (map.size < maxCached) map.set(key, value);
  }
  return value;
}

/** Tool names come from models too. */
const maxCached = 1000;

/**
 * A row for everything in `bash` sets what holds for commands that no other row names. It does not overrule what the
 * user said of a foreign tool by its own name.
 */
export function isForeignDefault(row: Row): boolean {
  return row.tool === 'bash' && row.decision === 'ask' && isCatchAll(row);
}
