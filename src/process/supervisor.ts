import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Tree } from './tree.ts';

/**
 * Kills what is still running when this process ends, however it ends: a small shell holds a pipe, and when the pipe closes
 * it kills every tree that was announced and not taken back: its group, what carries its mark as a limit, and whatever names this
 * process in its environment.
 */
export interface Supervisor {
  watch(tree: Tree): void;
  release(tree: Tree): void;
}

/** In the environment of everything this process starts for a tool. */
export const ownerName = 'BENCHDOG_OWNER';
export const thisOwner: string = randomUUID();

const script = `trap '' INT TERM HUP QUIT
live=' '
while read -r op id; do
  case $op in
    +) live="$live$id " ;;
    -) live="\${live%%" $id "*} \${live#*" $id "}" ;;
  esac
done
for id in $live; do kill -KILL -"\${id%:*}"; done
[ -d /proc/self ] || exit 0
marks=x
for id in $live; do marks="$marks|\${id#*:}"; done
for file in $(grep -lsaE "${ownerName}=$1" /proc/[0-9]*/environ; grep -lsE "^Max file locks +($marks) " /proc/[0-9]*/limits); do
  id=\${file#/proc/}; kill -KILL "\${id%/*}"
done`;

let running: ChildProcess | undefined;
const watched = new Map<number, Tree>();

export const supervisor: Supervisor = {
  watch(tree) {
    watched.set(tree.pid, tree);
    if (process.platform === 'win32') return;
    if (running === undefined) running = start();
    else running.stdin?.write(`+ ${nameOf(tree)}\n`);
  },
  release(tree) {
    watched.delete(tree.pid);
    running?.stdin?.write(`- ${nameOf(tree)}\n`);
  },
};

function nameOf({ pid, mark }: Tree): string {
  return `${pid}:${mark}`;
}

/** In a session of its own, so that a ctrl-c for us does not end it; no reason to keep running. It is told of all there is. */
function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'sh', thisOwner], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = () => {
    if (running === child) running = undefined;
  };
  child.once('error', gone);
  child.once('exit', gone);
  child.stdin?.on('error', gone);
  child.unref();
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
  for (const tree of watched.values()) child.stdin?.write(`+ ${nameOf(tree)}\n`);
  return child;
}
