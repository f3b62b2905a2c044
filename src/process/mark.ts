import { randomInt } from 'node:crypto';
import { readProc } from './proc.ts';

/**
 * What every descendant of a command inherits, and is known by wherever it went: a variable in the environment and, on Linux, a
 * soft limit (RLIMIT_LOCKS), which the kernel has not enforced since 2.4.25. A daemon may empty its environment; nobody sets
 * this limit, and every process can be asked for it.
 */
export const markName = 'BENCHDOG_CALL';

/** A mark that is no other command's; decimal, since it is a limit too. */
export function newMark(): string {
  return String(randomInt(2 ** 40, 2 ** 47));
}

/** Sets the limit in a shell that has the variable: bash calls it `x`, dash and busybox `w`. */
export const markInBash = `\\builtin ulimit -Sx "$${markName}" 2>/dev/null || :`;
export const markInSh = `ulimit -S -w "$${markName}" 2>/dev/null || ulimit -S -x "$${markName}" 2>/dev/null || :`;

export function isMarked(pid: number, mark: string): boolean {
  const environment = readProc(pid, 'environ');
  if (environment !== undefined && `\0${environment}`.includes(`\0${markName}=${mark}\0`)) return true;
  return /^Max file locks +(\d+) /m.exec(readProc(pid, 'limits') ?? '')?.[1] === mark;
}
