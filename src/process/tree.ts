import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A started program and everything it starts: a process group of its own, and a marker in the environment. */
export interface Tree {
  readonly pid: number;
  /** `NAME=value` that every descendant inherits. */
  readonly marker: string;
}

/** What ending a tree did. */
export interface Ended {
  /** Names of processes that were still running and were killed, e.g. `sleep (4711)`. */
  readonly killed: readonly string[];
  /** Names of processes that outlived even that. */
  readonly remaining: readonly string[];
}

interface Process {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

const stepMs = 10;
const killRounds = 20;

/** Ends what is left of a tree: first asks (SIGTERM), after `graceMs` kills. Resolves when it is gone or won't go. */
export async function endTree(tree: Tree, graceMs: number): Promise<Ended> {
  if (process.platform === 'win32') return endOnWindows(tree);
  const found = new Map<number, string>();
  const look = () => {
    const left = membersOf(tree);
    for (const member of left) found.set(member.pid, nameOf(member));
    return { left, any: left.length > 0 || groupLives(tree.pid) };
  };
  let { left, any } = look();
  if (any) signalAll(tree, left, 'SIGTERM', 'SIGCONT');
  for (const deadline = Date.now() + graceMs; any && Date.now() < deadline; { left, any } = look()) await pause(stepMs);
  for (let round = 0; any && round < killRounds; round += 1, { left, any } = look()) {
    signalAll(tree, left, 'SIGKILL');
    await pause(stepMs);
  }
  const remaining = left.map(nameOf);
  return { killed: [...found.values()].filter((name) => !remaining.includes(name)), remaining };
}

function nameOf({ name, pid }: Process): string {
  return `${name} (${pid})`;
}

/** Killing `cmd` alone leaves what it started, with the pipes open. By design; not tested there. */
function endOnWindows(tree: Tree): Promise<Ended> {
  return new Promise((resolve) => {
    const taskkill = spawn('taskkill', ['/pid', String(tree.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    const ended = () => resolve({ killed: [], remaining: [] });
    taskkill.once('error', ended);
    taskkill.once('exit', ended);
  });
}

function signalAll(tree: Tree, members: readonly Process[], ...signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) {
    send(-tree.pid, signal);
    for (const member of members) if (member.group !== tree.pid) send(member.pid, signal);
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function groupLives(pid: number): boolean {
  if (process.platform === 'linux') return false; // membersOf sees them, and tells the living from the dead
  return process.platform !== 'win32' && send(-pid, 0);
}

/** The living members. Linux only; elsewhere the group is all that is known. */
function membersOf(tree: Tree): readonly Process[] {
  if (process.platform !== 'linux') return [];
  const candidates = startedSince(tree.pid).flatMap((pid) => readProcess(pid) ?? []);
  const members = new Map<number, Process>();
  const belongs = (one: Process) =>
    one.group === tree.pid || one.session === tree.pid || members.has(one.parent) || one.parent === tree.pid;
  // Descendants are younger than their parents, so one pass in order of ids sees parents first (but for a wrap-around).
  for (const one of candidates) {
    if (!belongs(one) && one.pid !== tree.pid && !isMarked(one.pid, tree.marker)) continue;
    if (isLeader(one.pid)) members.set(one.pid, one);
  }
  return [...members.values()];
}

/**
 * Ids of processes that may have been started since `pid` was. The kernel tells the last id it gave out: between the two
 * there are few after a short command, and looking at those alone costs nothing.
 */
function startedSince(pid: number): readonly number[] {
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
function readProcess(pid: number): Process | undefined {
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
function isLeader(pid: number): boolean {
  return readProc(pid, 'status')?.includes(`\nTgid:\t${pid}\n`) ?? false;
}

function isMarked(pid: number, marker: string): boolean {
  const environment = readProc(pid, 'environ');
  return environment !== undefined && `\0${environment}`.includes(`\0${marker}\0`);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
