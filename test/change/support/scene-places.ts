import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { commit } from '../../../src/change/commit.ts';
import { openJournal } from '../../../src/change/recover.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';
import { everyKindOfChange, origin, picture, setScene } from './scene.ts';

export interface Place {
  readonly root: string;
  readonly home: string;
}

/** A fresh folder, in memory where there is such a place: hundreds of commits need not wait for a disk. */
export function quickFolder(): string {
  const folder = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'benchdog-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace with the scene in it and an empty state folder. */
export function scenePlace(): Place {
  const [root, home] = [quickFolder(), quickFolder()];
  setScene(root);
  return { root, home };
}

/** The same after every change has happened. */
export async function committedPlace(): Promise<Place> {
  const place = scenePlace();
  const { workspace, journal } = await openPlace(place);
  await commit(await everyKindOfChange(workspace), { workspace, journal, origin });
  return place;
}

export async function openPlace({ root, home }: Place) {
  const workspace = openWorkspace({ root });
  return { workspace, journal: await openJournal({ home, root: workspace.root }) };
}

/** Opens the journal again, as the next start does, which recovers. */
export async function nextStart(place: Place) {
  const opened = await openPlace(place);
  expect(opened.journal.unfinished()).toEqual([]);
  const said = opened.journal.notices.map((notice) => notice.replace(/^.*\) was /, '').split(/[:;]/)[0]!);
  return { ...opened, said };
}

/** The scene's two pictures: as laid out, and after every change. */
export async function pictures() {
  return { old: picture(scenePlace().root), next: picture((await committedPlace()).root) };
}
