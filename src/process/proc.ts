import { readdirSync, readFileSync } from 'node:fs';

/** A living process as Linux tells of it. */
export interface Process {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * Ids of processes that may have been started since `pid` was. The kernel tells the last id it gave out: between the two
 * there are few after a short command, and looking at those alone costs nothing.
 */
export function startedSince(pid: number): readonly number[] {
  const last = lastPid();
  if (last !== undefined && last >= pid && last - pid < 64) {
    return Array.from({ length: last - pid + 1 }, (_, at) => pid + at);
  }
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && id !== process.pid)
    .sort((a, b) => a - b);
}

function lastPid(): number | undefined {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return undefined;
  }
}

/** The living process `pid`, or undefined when there is none (a zombie and a thread are none). */
export function readProcess(pid: number): Process | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may hold any character, parentheses too. proc(5).
  const close = stat.lastIndexOf(')');
  const [state, parent, group, session] = stat.slice(close + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, close);
  return { pid, name, parent: Number(parent), group: Number(group), session: Number(session) };
}

/** False for a thread, which answers under its own id although it is not listed. */
export function isLeader(pid: number): boolean {
  return readProc(pid, 'status')?.includes(`\nTgid:\t${pid}\n`) ?? false;
}

/** A file of /proc/PID; undefined when it or the process is gone or not ours to read. */
export function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}
