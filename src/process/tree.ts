import { spawn } from 'node:child_process';
import { isMarked } from './mark.ts';
import { isLeader, type Process, readProcess, startedSince } from './proc.ts';

/** A started program and everything it starts: a process group of its own, and a mark that every descendant inherits. */
export interface Tree {
  readonly pid: number;
  readonly mark: string;
}

/** What ending a tree did. */
export interface Ended {
  /** Names of processes that were still running and were killed, e.g. `sleep (4711)`. */
  readonly killed: readonly string[];
  /** Names of processes that outlived even that. */
  readonly remaining: readonly string[];
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
    if (!belongs(one) && one.pid !== tree.pid && !isMarked(one.pid, tree.mark)) continue;
    if (isLeader(one.pid)) members.set(one.pid, one);
  }
  return [...members.values()];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
