import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OnStep } from '../../src/change/disk.ts';
import { history } from '../../src/change/history.ts';
import { planRedo, planUndo } from '../../src/change/plan-undo.ts';
import { openJournal } from '../../src/change/recover.ts';
import type { Swap, Swaps } from '../../src/change/swap.ts';
import { commitSwaps } from '../../src/change/swap-commit.ts';
import { showSwaps } from '../../src/change/swap-show.ts';
import { readTree } from '../../src/change/tree.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { dies } from './support/death.ts';
import { origin, picture } from './support/scene.ts';
import { nextStart, openPlace, type Place, quickFolder } from './support/scene-places.ts';

/** A workspace, and beside it what a command made of it in a view. */
interface Scene extends Place {
  readonly made: string;
  readonly store: string;
}

function scene(): Scene {
  const base = quickFolder();
  const [root, home, made, store] = ['root', 'home', 'made', 'kept'].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [root, home, made]) mkdirSync(folder);
  const write = (folder: string, name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const name of ['file', 'gone', 'tree/a', 'tree/b/c', 'fold/x', 'turn']) write(root, name, `old ${name}\n`);
  for (const name of ['file', 'new', 'tree/z', 'fold', 'turn/in', 'grown/a/b']) write(made, name, `new ${name}\n`);
  chmodSync(join(made, 'new'), 0o600);
  linkSync(join(made, 'grown/a/b'), join(made, 'grown/c'));
  symlinkSync('file', join(made, 'link'));
  return { root, home, made, store };
}

function swapsOf({ root, made, store }: Scene): Swaps {
  const paths = ['file', 'fold', 'gone', 'grown', 'link', 'new', 'tree', 'turn'];
  const list = paths.map((path): Swap => {
    const [before, after] = [readTree(join(root, path)), readTree(join(made, path))];
    return { path, ...(before && { before }), ...(after && { from: join(made, path), after }) };
  });
  return { list, store };
}

async function commitScene(place: Scene, onStep?: OnStep) {
  const { workspace, journal } = await openPlace(place);
  const swaps = swapsOf(place);
  const { changes } = await showSwaps(workspace.root, swaps.list);
  return commitSwaps(changes, swaps, { workspace, journal, origin, ...(onStep && { onStep }) });
}

async function revertScene(place: Place, onStep?: OnStep, plan = planUndo) {
  const { workspace, journal } = await openPlace(place);
  const { changes, swaps, reverts } = await plan(journal, workspace);
  const options = { workspace, journal, origin: { ...origin, reverts }, ...(onStep && { onStep }) };
  return commitSwaps(changes, swaps!, options);
}

async function committed(): Promise<Scene> {
  const place = scene();
  await commitScene(place);
  return place;
}

const pictures = async () => ({ old: picture(scene().root), next: picture((await committed()).root) });

test('swaps of every kind happen, go back and happen again', async () => {
  const { old, next } = await pictures();
  expect(Object.keys(next).sort()).toEqual(
    [
      'file',
      'fold',
      'grown',
      'grown/a',
      'grown/a/b',
      'grown/c',
      'link',
      'new',
      'tree',
      'tree/z',
      'turn',
      'turn/in',
    ].sort(),
  );
  expect(next.new).toMatch(/^600 x1/);
  expect(next['grown/c']).toMatch(/^644 x2/);
  const place = await committed();
  await revertScene(place);
  expect(picture(place.root)).toEqual(old);
  await revertScene(place, undefined, planRedo);
  expect(picture(place.root)).toEqual(next);
  await revertScene(place);
  expect(picture(place.root)).toEqual(old);
});

describe('a crash', () => {
  test('at any step leaves the old state or the new one, and the next start says which', async () => {
    const { old, next } = await pictures();
    const outcomes = new Set<string>();
    for (let step = 1; ; step += 1) {
      const place = scene();
      if (!(await dies(place, step, (_, onStep) => commitScene(place, onStep)))) break;
      const { journal, said } = await nextStart(place);
      const isNew = journal.entries().length === 1;
      expect(picture(place.root), `at step ${step}`).toEqual(isNew ? next : old);
      outcomes.add(said.join());
      if (isNew) await revertScene(place);
      expect(picture(place.root), `taken back, at step ${step}`).toEqual(old);
    }
    expect([...outcomes]).toEqual(['', 'completed']);
  });

  test('at any step of an undo', async () => {
    const { old, next } = await pictures();
    for (let step = 1; ; step += 1) {
      const place = await committed();
      if (!(await dies(place, step, revertScene))) break;
      const { journal } = await nextStart(place);
      const isBack = history(journal).some(({ state }) => state === 'undone');
      expect(picture(place.root), `at step ${step}`).toEqual(isBack ? old : next);
    }
  });

  test('at any step of recovery', async () => {
    const { next } = await pictures();
    for (let step = 1; ; step += 1) {
      const place = scene();
      await dies(place, 9, (_, onStep) => commitScene(place, onStep));
      const recover = ({ root, home }: Place, onStep: OnStep) =>
        openJournal({ home, root: openWorkspace({ root }).root, onStep });
      const died = await dies(place, step, recover);
      await nextStart(place);
      expect(picture(place.root), `at step ${step}`).toEqual(next);
      if (!died) break;
    }
  });
});

test('a step that fails puts everything back', async () => {
  const { old } = await pictures();
  let steps = 0;
  const count = () => {
    steps += 1;
  };
  await commitScene(scene(), count);
  for (let at = 2; at < steps; at += 1) {
    const place = scene();
    const made = picture(place.made);
    let step = 0;
    const onStep = () => {
      step += 1;
      if (step === at) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    await expect(commitScene(place, onStep)).rejects.toThrow('The disk is full. (no space) Nothing was changed.');
    expect([picture(place.root), picture(place.made)], `at step ${at}`).toEqual([old, made]);
  }
});

describe('refused, with nothing changed', () => {
  const refused = async (meddle: (root: string) => void, message: string) => {
    const place = scene();
    const { workspace, journal } = await openPlace(place);
    const swaps = swapsOf(place);
    meddle(place.root);
    const before = picture(place.root);
    await expect(commitSwaps([], swaps, { workspace, journal, origin })).rejects.toThrow(message);
    expect(picture(place.root)).toEqual(before);
    expect(journal.entries()).toEqual([]);
  };

  test('something changed deep inside a folder that is replaced', () =>
    refused(
      (root) => writeFileSync(join(root, 'tree/b/c'), 'theirs'),
      'tree was changed by somebody else meanwhile. Nothing was changed.',
    ));
  test('the same, with size and time as before', () =>
    refused((root) => {
      const path = join(root, 'tree/b/c');
      const { atime, mtime, size } = statSync(path);
      writeFileSync(path, 'x'.repeat(size));
      utimesSync(path, atime, mtime);
    }, 'tree was changed by somebody else meanwhile.'));
  test('something new in it', () =>
    refused((root) => writeFileSync(join(root, 'tree/theirs'), ''), 'tree was changed by somebody else meanwhile.'));
  test('a new name that is taken', () =>
    refused((root) => writeFileSync(join(root, 'new'), ''), 'new exists now. Nothing was changed.'));
  test('something that is gone', () =>
    refused((root) => rmSync(join(root, 'gone')), 'gone is gone meanwhile. Nothing was changed.'));
});

describe('an undo is refused', () => {
  test('when a person changed one of the files since', async () => {
    const place = await committed();
    writeFileSync(join(place.root, 'grown/a/b'), 'theirs');
    await expect(revertScene(place)).rejects.toThrow(
      /^grown is not as change \w+ \(apply_patch\) left it: somebody changed it since\. Nothing was changed\./,
    );
  });

  test('when what was set aside is no longer kept', async () => {
    const place = await committed();
    rmSync(place.store, { recursive: true });
    await expect(revertScene(place)).rejects.toThrow('is no longer kept. Nothing was changed.');
  });
});

test('what the journal forgets it also lets go of', async () => {
  const place = await committed();
  expect(readdirSync(place.store)).toHaveLength(1);
  const workspace = openWorkspace({ root: place.root });
  for (let round = 0; round < 3; round += 1) {
    const journal = await openJournal({ home: place.home, root: workspace.root, maxBytes: 1 });
    const before = readTree(join(place.root, 'file'))!;
    const from = join(place.made, `again${round}`);
    writeFileSync(from, `${round}\n`);
    const list = [{ path: 'file', before, from, after: readTree(from)! }];
    await commitSwaps([], { list, store: place.store }, { workspace, journal, origin });
    expect(journal.entries()).toHaveLength(1);
    expect(readdirSync(place.store)).toHaveLength(1);
    expect(existsSync(join(place.store, journal.entries()[0]!.id))).toBe(true);
  }
  expect(readFileSync(join(place.root, 'file'), 'utf8')).toBe('2\n');
});
