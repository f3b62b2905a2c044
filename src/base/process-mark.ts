import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode } from './error.ts';

/**
 * What tells one running process from every other one, also after its number was given to a new process or the machine
 * was started again. On Linux all fields are known; elsewhere `start`, `boot` and `space` are empty and the number alone
 * is the fallback.
 */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks after boot at which it started: field 22 of /proc/PID/stat, proc(5). */
  readonly start: string;
  /** The first eight digits of /proc/sys/kernel/random/boot_id */
  readonly boot: string;
  /** The machine: six characters of its name's SHA-256. */
  readonly host: string;
  /** The number of the namespace that `pid` is counted in; containers have their own. */
  readonly space: string;
}

/** `unknown`: it belongs to another machine or container, where nobody here can look. */
export type ProcessState = 'alive' | 'dead' | 'unknown';

let own: ProcessMark | undefined;

export function thisProcess(): ProcessMark {
  own ??= {
    pid: process.pid,
    start: startOf('self') ?? '',
    boot: bootId(),
    host: createHash('sha256').update(hostname()).digest('base64url').slice(0, 6),
    space: pidSpace(),
  };
  return own;
}

export function processState(mark: ProcessMark): ProcessState {
  const here = thisProcess();
  if (mark.host !== here.host) return 'unknown';
  if (mark.boot !== here.boot) return 'dead';
  if (mark.space !== here.space) return 'unknown';
  if (!exists(mark.pid)) return 'dead';
  if (mark.start === '') return 'alive';
  return startOf(String(mark.pid)) === mark.start ? 'alive' : 'dead';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** The start time of a process; undefined when it is gone, a zombie, or this system doesn't tell. */
function startOf(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold anything, blanks and parentheses included.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '';
  }
}

function pidSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}
