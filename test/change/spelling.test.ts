import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { move } from '../../src/change/apply.ts';
import { type Disk, openDisk } from '../../src/change/disk.ts';
import { openRoot } from '../../src/workspace/path.ts';
import { tempFolder } from '../support/folders.ts';

/** A disk that takes names for the same whatever their case, as macOS and Windows have it; it lists them as made. */
function foldingDisk(root: string): { disk: Disk; steps: string[] } {
  const steps: string[] = [];
  const disk = openDisk(openRoot(root), (step) => steps.push(step));
  return { disk: { ...disk, look: (path) => disk.look(path.toLowerCase()) }, steps };
}

test('a rename that changes only the case is one rename where names are folded', () => {
  const root = tempFolder();
  writeFileSync(join(root, 'readme'), 'text');
  const { disk, steps } = foldingDisk(root);
  move(disk, 'readme', 'README');
  expect(steps).toEqual(['rename readme README']);
  expect(statSync(join(root, 'README')).size).toBe(4);
  disk.close();
});

test('where both names are listed, or in another folder, it is taken', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'readme'), 'text');
  writeFileSync(join(root, 'README'), 'other');
  const disk = openDisk(openRoot(root));
  expect(() => move(disk, 'readme', 'README')).toThrow('README already exists.');
  disk.close();
});
