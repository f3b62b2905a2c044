import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import * as z from 'zod';
import { openLog } from '../base/log.ts';
import type { LogItem } from '../base/log-read.ts';
import type { Grant, GrantStore } from './grants.ts';

const grantRecord = z.strictObject({
  id: z.string().regex(/^s[0-9a-f]{8}$/),
  tool: z.string().min(1),
  pattern: z.string().min(1),
  uses: z.int().positive().optional(),
  until: z.number().optional(),
});
const useRecord = z.strictObject({ used: z.string() });

/**
 * The grants of a person for one workspace, in a log of their own state, owner-only: a record for each grant, and one
 * for each use of a grant that is counted. Other processes are seen at once; a file that others may write counts for
 * nothing.
 */
export function openGrantStore(path: string): GrantStore {
  const log = openLog(path);
  let read: { readonly mark: string; readonly grants: readonly Grant[] } | undefined;
  const list = (): readonly Grant[] => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !isOurs(stats)) return [];
    const mark = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (read?.mark !== mark) read = { mark, grants: grantsIn([...log.read()].flatMap(recordOf)) };
    return read.grants;
  };
  const revoke = (id: string): boolean => {
    if (!list().some((grant) => grant.id === id)) return false;
    log.rewrite((record) => record.id !== id && record.used !== id);
    return true;
  };
  return {
    list,
    add(grant) {
      const made = { id: `s${randomBytes(4).toString('hex')}`, ...grant };
      log.append(made, { sync: true });
      return { ...made, stored: true };
    },
    revoke,
    use(id) {
      const grant = list().find((one) => one.id === id);
      if (grant?.uses === undefined) return;
      if (grant.uses <= 1) revoke(id);
      else log.append({ used: id }, { sync: true });
    },
  };
}

/** What somebody else could have written allows nothing. */
function isOurs({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function recordOf(item: LogItem): readonly unknown[] {
  return item.type === 'record' ? [item.value] : [];
}

function grantsIn(records: readonly unknown[]): Grant[] {
  const grants = new Map<string, Grant>();
  for (const record of records) {
    const grant = grantRecord.safeParse(record);
    if (grant.success) {
      const { uses, until, ...rest } = grant.data;
      grants.set(rest.id, {
        ...rest,
        ...(uses === undefined ? {} : { uses }),
        ...(until === undefined ? {} : { until }),
        stored: true,
      });
      continue;
    }
    const use = useRecord.safeParse(record);
    if (use.success) countUse(grants, use.data.used);
  }
  return [...grants.values()];
}

function countUse(grants: Map<string, Grant>, id: string): void {
  const grant = grants.get(id);
  if (grant?.uses === undefined) return;
  if (grant.uses <= 1) grants.delete(id);
  else grants.set(id, { ...grant, uses: grant.uses - 1 });
}
