import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/**
 * Kills what is still running when this process ends, however it ends: a small shell holds a pipe, and when the pipe closes
 * it kills every group that was announced and not taken back, then whatever carries this process's marker.
 */
export interface Supervisor {
  watch(group: number): void;
  release(group: number): void;
}

/** In the environment of everything this process starts for a tool. */
export const markerName = 'BENCHDOG_OWNER';
export const ownMarker: string = randomUUID();

const script = `trap '' INT TERM HUP QUIT
live=' '
while read -r op id; do
  case $op in
    +) live="$live$id " ;;
    -) live="\${live%%" $id "*} \${live#*" $id "}" ;;
  esac
done
for id in $live; do kill -KILL -"$id"; done
[ -d /proc/self ] || exit 0
for file in $(grep -lsaE "${markerName}=$1" /proc/[0-9]*/environ); do
  id=\${file#/proc/}; kill -KILL "\${id%/environ}"
done`;

let running: ChildProcess | undefined;
const watched = new Set<number>();

export const supervisor: Supervisor = {
  watch(group) {
    watched.add(group);
    if (process.platform === 'win32') return;
    if (running === undefined) running = start();
    else running.stdin?.write(`+ ${group}\n`);
  },
  release(group) {
    watched.delete(group);
    running?.stdin?.write(`- ${group}\n`);
  },
};

/** In a session of its own, so that a ctrl-c for us does not end it; no reason to keep running. It is told of all there is. */
function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ownMarker], {
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
  for (const group of watched) child.stdin?.write(`+ ${group}\n`);
  return child;
}
