import { readdirSync, readFileSync } from 'node:fs';

/** Ids of living processes with `text` in their command line or environment. Linux. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        pid > 0 &&
        pid !== process.pid &&
        isAlive(pid) &&
        ['cmdline', 'environ'].some((file) => read(pid, file).includes(text)),
    );
}

/** How many children of this process have ended and were not collected. */
export function zombies(): number {
  return readdirSync('/proc')
    .map((pid) => read(Number(pid), 'stat').split(') ').at(-1)!.split(' '))
    .filter(([state, parent]) => state === 'Z' && Number(parent) === process.pid).length;
}

export async function until(condition: () => boolean, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('what was waited for did not come');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isAlive(pid: number): boolean {
  const state = read(pid, 'stat').split(') ').at(-1)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
