import { describe, expect, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import type { OnStep } from '../../src/change/disk.ts';
import { history } from '../../src/change/history.ts';
import type { Journal } from '../../src/change/journal.ts';
import { planUndo } from '../../src/change/plan-undo.ts';
import { openJournal } from '../../src/change/recover.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { death, dies, disown } from './support/death.ts';
import { everyKindOfChange, origin, picture } from './support/scene.ts';
import { committedPlace, nextStart, openPlace, type Place, pictures, scenePlace } from './support/scene-places.ts';

/** The files whose old content, which an undo needs, is not kept. */
async function lost(journal: Journal): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, before, after } of journal.entries().flatMap((entry) => entry.changes)) {
    if (before === undefined || before.digest === after?.digest) continue;
    if ((await journal.content(before.digest)) === undefined) paths.push(path);
  }
  return paths;
}

async function commitScene(place: Place, onStep: OnStep) {
  const { workspace, journal } = await openPlace(place);
  await commit(await everyKindOfChange(workspace), { workspace, journal, origin, onStep });
}

async function undoScene(place: Place, onStep: OnStep) {
  const { workspace, journal } = await openPlace(place);
  const { changes, reverts } = await planUndo(journal, workspace);
  await commit(changes, { workspace, journal, origin: { ...origin, reverts }, onStep });
}

async function recoverScene({ root, home }: Place, onStep: OnStep) {
  await openJournal({ home, root: openWorkspace({ root }).root, onStep });
}

describe('a crash', () => {
  test('at any step of a commit leaves the old state or the new one, and recovery says which', async () => {
    const { old, next } = await pictures();
    const outcomes = new Set<string>();
    for (let step = 1; ; step += 1) {
      const place = scenePlace();
      if (!(await dies(place, step, commitScene))) break;
      const { journal, said } = await nextStart(place);
      const isNew = journal.entries().length === 1;
      expect(picture(place.root), `at step ${step}`).toEqual(isNew ? next : old);
      expect(await lost(journal), `at step ${step}`).toEqual([]);
      expect(said).toEqual(said.length === 0 ? [] : [isNew ? 'completed' : 'undone']);
      outcomes.add(said[0] ?? 'nothing');
    }
    expect([...outcomes]).toEqual(['nothing', 'undone', 'completed']);
  });

  test('at any step of an undo leaves the new state or the old one', async () => {
    const { old, next } = await pictures();
    for (let step = 1; ; step += 1) {
      const place = await committedPlace();
      if (!(await dies(place, step, undoScene))) break;
      const { journal } = await nextStart(place);
      const isBack = history(journal).some((item) => item.state === 'undone');
      const now = picture(place.root);
      // Empty folders may stay behind.
      for (const folder of ['deep', 'deep/er', 'made']) if (isBack) delete now[folder];
      expect(now, `at step ${step}`).toEqual(isBack ? old : next);
    }
  });

  test('at any step of recovery is recovered from', async () => {
    const { old, next } = await pictures();
    const count = death(Number.POSITIVE_INFINITY);
    await commitScene(scenePlace(), count.onStep);
    for (let first = 4; first < count.steps(); first += 9) {
      for (let second = 1; ; second += 1) {
        const place = scenePlace();
        await dies(place, first, commitScene);
        if (!(await dies(place, second, recoverScene))) break;
        const { journal } = await nextStart(place);
        expect(picture(place.root), `${first}, ${second}`).toEqual(journal.entries().length === 1 ? next : old);
      }
    }
  });
});

describe('a failure', () => {
  test('of any single step of a commit puts everything back, or is none of the commit', async () => {
    const { old, next } = await pictures();
    for (let step = 1, failed = true; failed; step += 1) {
      const place = scenePlace();
      let steps = 0;
      failed = false;
      const onStep = () => {
        steps += 1;
        if (steps !== step) return;
        failed = true;
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      };
      const result = await commitScene(place, onStep).then(
        () => 'done',
        (error: Error) => error.message,
      );
      const now = Object.entries(picture(place.root));
      // What tidying left behind after a commit goes at the next start.
      const kept = now.filter(([name]) => result !== 'done' || !name.startsWith('.benchdog-'));
      expect(Object.fromEntries(kept), `at step ${step}`).toEqual(result === 'done' ? next : old);
      const text = 'The disk is full. (ENOSPC: no space left on device, write) Nothing was changed.';
      expect(['done', text]).toContain(result);
      disown(place);
      await nextStart(place);
      expect(picture(place.root)).toEqual(result === 'done' ? next : old);
    }
  });
});
