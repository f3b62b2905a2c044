import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { markName, newMark } from './mark.ts';
import { startError } from './run.ts';
import { ownerName, supervisor, thisOwner } from './supervisor.ts';
import { endTree, type Tree } from './tree.ts';

export interface PeerOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; make it with `childEnvironment`. */
  readonly env: Environment;
}

/** A program that runs beside us and is talked with over its standard streams. */
export interface Peer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has exited, with how: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
  /** Closes its input, gives it a moment to leave, and ends what is left of it and of all it started. */
  end(): Promise<void>;
}

const farewellMs = 500;
const graceMs = 200;

/** Starts a program to talk with. Throws `failed` when it can't be started. It is killed when this process ends. */
export async function startPeer({ file, args, cwd, env }: PeerOptions): Promise<Peer> {
  const mark = newMark();
  const child = spawn(file, args, {
    cwd,
    env: { ...env, [ownerName]: thisOwner, [markName]: mark },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  if (child.pid === undefined) throw startError((await once(child, 'error'))[0], { file, cwd });
  const tree: Tree = { pid: child.pid, mark };
  supervisor.watch(tree);
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  let ending: Promise<void> | undefined;
  const end = async () => {
    child.stdin.end();
    await Promise.race([exited, pause(farewellMs, undefined, { ref: false })]);
    await endTree(tree, graceMs);
    supervisor.release(tree);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  };
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    end: () => {
      ending ??= end();
      return ending;
    },
  };
}
