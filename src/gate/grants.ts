import { type Face, isCatchAll, type Row, rowMatches } from './rule.ts';

/** What a person allowed beyond the rules. */
export interface Grant {
  readonly id: number;
  readonly tool: string;
  readonly pattern: string;
  /** How often it may still be used; without it, as often as needed. */
  readonly uses?: number;
  /** When it ends, in milliseconds since 1970; without it, with the session. */
  readonly until?: number;
}

export interface NewGrant {
  readonly tool: string;
  readonly pattern: string;
  readonly uses?: number;
  /** How long it holds, in minutes. */
  readonly minutes?: number;
}

/** The grants of a session: listed, revocable, never lifting an *ask* or *deny* row that they don't name. */
export interface Grants {
  add(grant: NewGrant): Grant;
  list(): readonly Grant[];
  revoke(id: number): boolean;
  /** A grant that covers `face` where `row` (or, without it, the default) would have asked. */
  find(tool: string, face: Face, row: Row | undefined): Grant | undefined;
  /** A grant for exactly this line. */
  exact(tool: string, line: string): Grant | undefined;
  /** Counts one use of a grant that `find` gave. */
  use(id: number): void;
}

export function createGrants(now: () => number = Date.now): Grants {
  const grants = new Map<number, Grant>();
  let last = 0;
  const alive = () => [...grants.values()].filter((grant) => grant.until === undefined || grant.until > now());
  return {
    add({ tool, pattern, uses, minutes }) {
      last += 1;
      const limits = {
        ...(uses === undefined ? {} : { uses }),
        ...(minutes === undefined ? {} : { until: now() + minutes * 60_000 }),
      };
      const grant: Grant = { id: last, tool, pattern, ...limits };
      grants.set(grant.id, grant);
      return grant;
    },
    list: alive,
    revoke: (id) => grants.delete(id),
    find(tool, face, row) {
      if (grants.size === 0) return undefined;
      return alive().find((grant) => grant.tool === tool && names(grant, row) && covers(grant, face));
    },
    exact: (tool, line) => alive().find((grant) => grant.tool === tool && grant.pattern === line),
    use(id) {
      const grant = grants.get(id);
      if (grant?.uses === undefined) return;
      if (grant.uses <= 1) grants.delete(id);
      else grants.set(id, { ...grant, uses: grant.uses - 1 });
    },
  };
}

/** The same grants with one more, to see what it would do. */
export function withGrant(grants: Grants, { tool, pattern }: NewGrant): Grants {
  const trial = createGrants();
  trial.add({ tool, pattern });
  return {
    ...grants,
    find: (name, face, row) => grants.find(name, face, row) ?? trial.find(name, face, row),
    exact: (name, line) => grants.exact(name, line) ?? trial.exact(name, line),
  };
}

/** A row that asks for something particular stands, unless the grant has the very same pattern. */
function names(grant: Grant, row: Row | undefined): boolean {
  return row === undefined || (row.decision === 'ask' && (isCatchAll(row) || row.pattern === grant.pattern));
}

function covers(grant: Grant, face: Face): boolean {
  return rowMatches({ tool: grant.tool, pattern: grant.pattern, decision: 'allow' }, face);
}
