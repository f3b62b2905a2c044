import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OnStep } from '../../../src/change/disk.ts';
import type { Place } from './scene-places.ts';

// What crash-kill.test.ts does to real processes at some steps is done here at every step: from the chosen one on
// nothing reaches the disk any more, which leaves the disk as a kill would.

/** From step `at` on every step fails; `steps` counts. */
export function death(at: number): { onStep: OnStep; steps: () => number } {
  let steps = 0;
  return {
    steps: () => steps,
    onStep: () => {
      steps += 1;
      if (steps >= at) throw new Error('dead');
    },
  };
}

const gone = spawnSync(process.execPath, ['-e', '0']).pid;

/** Makes the journal believe that a process that is gone wrote it. */
export function disown({ home }: Place): void {
  for (const name of readdirSync(join(home, 'journal')).filter((name) => name !== 'locks')) {
    const path = join(home, 'journal', name, 'entries.jsonl');
    if (!existsSync(path)) continue;
    const log = readFileSync(path, 'utf8');
    writeFileSync(path, log.replaceAll(`"pid":${process.pid},`, `"pid":${gone},`));
  }
}

/** Runs `act` to its death at `at`; false when it outlived that. */
export async function dies(
  place: Place,
  at: number,
  act: (place: Place, onStep: OnStep) => Promise<unknown>,
): Promise<boolean> {
  const { onStep, steps } = death(at);
  await act(place, onStep).catch(() => {});
  disown(place);
  return steps() >= at;
}
