import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import { history } from '../../src/change/history.ts';
import { builtChild } from './support/build-child.ts';
import { everyKindOfChange, origin, picture } from './support/scene.ts';
import { committedPlace, nextStart, type Place, pictures, quickFolder, scenePlace } from './support/scene-places.ts';

/** Every step takes minutes; without the variable some are chosen. crash.test.ts goes through all of them without processes. */
const every = process.env.BENCHDOG_KILL_EVERY_STEP !== undefined;
const timeout = every ? 600_000 : 60_000;

const child = builtChild('crash-child');

/** Runs the child; its steps when it lived, undefined when it was killed. */
function run({ root, home }: Place, action: string, dieAt: number): number | undefined {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [child, root, home, action, String(dieAt)]);
  if (signal === 'SIGKILL') return undefined;
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  return Number(stdout.toString());
}

/** The steps to die at, of `count`. */
function chosen(count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return every ? all : all.filter((step) => step % Math.ceil(count / 8) === 2);
}

describe('kill -9', () => {
  test(
    'of a commit leaves the old state or the new one; the next start says which and can commit',
    async () => {
      const { old, next } = await pictures();
      for (const step of chosen(run(scenePlace(), 'commit', 0)!)) {
        const place = scenePlace();
        expect(run(place, 'commit', step)).toBe(undefined);
        const { workspace, journal, said } = await nextStart(place);
        const isNew = journal.entries().length === 1;
        expect(picture(place.root), `killed at step ${step}`).toEqual(isNew ? next : old);
        expect([[], [isNew ? 'completed' : 'undone']]).toContainEqual(said);
        // The dead process's locks are broken.
        if (!isNew) await commit(await everyKindOfChange(workspace), { workspace, journal, origin });
        expect(picture(place.root)).toEqual(next);
      }
    },
    timeout,
  );

  test(
    'of an undo leaves the new state or the old one',
    async () => {
      const { old, next } = await pictures();
      for (const step of chosen(run(await committedPlace(), 'undo', 0)!)) {
        const place = await committedPlace();
        expect(run(place, 'undo', step)).toBe(undefined);
        const { journal } = await nextStart(place);
        const isBack = history(journal).some((item) => item.state === 'undone');
        const now = picture(place.root);
        for (const folder of ['deep', 'deep/er', 'made']) if (isBack) delete now[folder];
        expect(now, `killed at step ${step}`).toEqual(isBack ? old : next);
      }
    },
    timeout,
  );

  test(
    'of recovery is recovered from',
    async () => {
      const { old, next } = await pictures();
      const middle = Math.floor(run(scenePlace(), 'commit', 0)! * 0.7);
      const first = scenePlace();
      run(first, 'commit', middle);
      for (const step of chosen(run(first, 'recover', 0)!)) {
        const place = scenePlace();
        run(place, 'commit', middle);
        expect(run(place, 'recover', step)).toBe(undefined);
        const { journal } = await nextStart(place);
        expect(picture(place.root), `killed at step ${step}`).toEqual(journal.entries().length === 1 ? next : old);
      }
    },
    timeout,
  );

  test(
    'while 66 MB are written leaves the old file whole',
    () => {
      const old = Buffer.alloc(66_000_000, 'o');
      const place = { root: quickFolder(), home: quickFolder() };
      writeFileSync(join(place.root, 'big'), old);
      // Step 3 is the first piece of the new content, then one for every 8 MB.
      for (const step of every ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : [3, 8]) {
        expect(run(place, 'big', step)).toBe(undefined);
        expect(readFileSync(join(place.root, 'big')).equals(old), `killed at step ${step}`).toBe(true);
      }
    },
    timeout,
  );
});
