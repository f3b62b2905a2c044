import { type Face, isCatchAll, type Row, rowMatches } from './rule.ts';

/** What a person allowed beyond the rules. */
export interface Grant {
  readonly id: string;
  readonly tool: string;
  readonly pattern: string;
  /** How often it may still be used; without it, as often as needed. */
  readonly uses?: number;
  /** When it ends, in milliseconds since 1970; without it, with the session (or never, if it is stored). */
  readonly until?: number;
  /** It outlives the session. */
  readonly stored?: true;
}

/** How far an *always* goes: for the session, or as the fields say. */
export interface GrantTerms {
  /** How often it may be used after the call that is answered. */
  readonly uses?: number;
  /** How long it holds, in minutes. */
  readonly minutes?: number;
  /** True: it is kept for later sessions in this workspace. */
  readonly stored?: boolean;
}

export interface NewGrant extends GrantTerms {
  readonly tool: string;
  readonly pattern: string;
}

/** What is allowed beyond the rules: listed, revocable, never lifting an *ask* or *deny* row that it doesn't name. */
export interface Grants {
  add(grant: NewGrant): Grant;
  /** Those that hold now, the session's own first. */
  list(): readonly Grant[];
  /** False when there is no such grant. */
  revoke(id: string): boolean;
  /** A grant that covers `face` where `row` (or, without it, the default) would have asked. */
  find(tool: string, face: Face, row: Row | undefined): Grant | undefined;
  /** A grant for exactly this line. */
  exact(tool: string, line: string): Grant | undefined;
  /** Counts one use of a grant that `find` gave. */
  use(id: string): void;
}

/** Keeps grants beyond the session. `use` counts one use, and takes the grant away with the last one. */
export interface GrantStore {
  list(): readonly Grant[];
  add(grant: Omit<Grant, 'id' | 'stored'>): Grant;
  revoke(id: string): boolean;
  use(id: string): void;
}

export interface GrantsOptions {
  /** Where grants that are to be stored go; without it they end with the session like the others. */
  readonly store?: GrantStore;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createGrants({ store, now = Date.now }: GrantsOptions = {}): Grants {
  const own = new Map<string, Grant>();
  let last = 0;
  const alive = (): Grant[] =>
    [...own.values(), ...(store?.list() ?? [])].filter(({ until }) => until === undefined || until > now());
  return {
    add({ tool, pattern, uses, minutes, stored }) {
      const grant = {
        tool,
        pattern,
        ...(uses === undefined ? {} : { uses }),
        ...(minutes === undefined ? {} : { until: now() + minutes * 60_000 }),
      };
      if (stored === true && store !== undefined) return store.add(grant);
      last += 1;
      const made = { id: String(last), ...grant };
      own.set(made.id, made);
      return made;
    },
    list: alive,
    revoke: (id) => own.delete(id) || (store?.revoke(id) ?? false),
    ...lookUps(alive),
    use(id) {
      const grant = own.get(id);
      if (grant === undefined) store?.use(id);
      else if (grant.uses !== undefined && grant.uses <= 1) own.delete(id);
      else if (grant.uses !== undefined) own.set(id, { ...grant, uses: grant.uses - 1 });
    },
  };
}

/** The grants of one moment, until it is renewed: what is stored is looked at once, however many effects a call has. */
export function grantsOfMoment(grants: Grants): { readonly grants: Grants; renew(): void } {
  let held: readonly Grant[] | undefined;
  const list = () => {
    held ??= grants.list();
    return held;
  };
  const renew = () => {
    held = undefined;
  };
  return { grants: { ...grants, list, ...lookUps(list) }, renew };
}

/** The same grants with one more, to see what it would do. */
export function withGrant(grants: Grants, { tool, pattern }: NewGrant): Grants {
  const held = [...grants.list(), { id: 'trial', tool, pattern }];
  const list = () => held;
  return { ...grants, list, ...lookUps(list) };
}

function lookUps(list: () => readonly Grant[]): Pick<Grants, 'find' | 'exact'> {
  return {
    find: (tool, face, row) => list().find((grant) => grant.tool === tool && names(grant, row) && covers(grant, face)),
    exact: (tool, line) => list().find((grant) => grant.tool === tool && grant.pattern === line),
  };
}

/** A row that asks for something particular stands, unless the grant has the very same pattern. */
function names(grant: Grant, row: Row | undefined): boolean {
  return row === undefined || (row.decision === 'ask' && (isCatchAll(row) || row.pattern === grant.pattern));
}

function covers(grant: Grant, face: Face): boolean {
  return rowMatches(rowOfGrant(grant), face);
}

const rows = new WeakMap<Grant, Row>();

/** The row that a grant stands for. */
export function rowOfGrant(grant: Grant): Row {
  let row = rows.get(grant);
  if (row === undefined) {
    row = { tool: grant.tool, pattern: grant.pattern, decision: 'allow' };
    rows.set(grant, row);
  }
  return row;
}
