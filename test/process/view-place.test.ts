import { lstatSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mountBelow } from '../../src/process/mount-table.ts';
import { pointAt, viewPlace, viewPlaces } from '../../src/process/view-place.ts';
import { writtenSince } from '../../src/process/written-since.ts';
import { tempFolder } from '../support/folders.ts';

describe('where views lie', () => {
  const workspace = () => {
    const folder = tempFolder();
    const root = join(folder, 'ws');
    mkdirSync(root);
    return { folder, root };
  };

  test('in our state folder, owner-only, one place a workspace', () => {
    const { folder, root } = workspace();
    const home = join(folder, 'home');
    const place = viewPlace(root, home);
    expect(place).toEqual({ folder: viewPlaces(root, home)[0] });
    expect(lstatSync(viewPlaces(root, home)[0]!).mode & 0o777).toBe(0o700);
    expect(viewPlaces(root, home)[0]).not.toBe(viewPlaces(`${root}2`, home)[0]);
  });

  test('beside the workspace when the state folder lies in it, or around it', () => {
    const { folder, root } = workspace();
    const beside = join(folder, `.benchdog-${process.getuid?.() ?? 'views'}`);
    for (const home of [join(root, '.state'), root, folder]) {
      const place = viewPlace(root, home);
      expect('folder' in place && place.folder.startsWith(`${beside}/views/`)).toBe(true);
    }
  });

  test('nowhere when the workspace is the whole file system', () => {
    expect(viewPlace('/', '/root/state')).toHaveProperty('reason');
  });
});

test('the link to the workspace is made once and stays; what leads elsewhere is replaced', () => {
  const folder = tempFolder();
  for (const root of ['/one', '/one', '/other']) {
    pointAt(folder, root);
    expect(readlinkSync(join(folder, 'lower'))).toBe(root);
  }
});

test('mounts below a folder, with blanks in their names', () => {
  const line = (place: string) => `36 35 98:0 / ${place} rw,noatime master:1 - ext3 /dev/root rw`;
  const table = [line('/'), line('/work'), line('/workshop/x'), line('/work/a\\040b')].join('\n');
  expect(mountBelow('/work', table)).toBe('/work/a b');
  expect(mountBelow('/work/a b', table)).toBeUndefined();
  expect(mountBelow('/work', '')).toBeUndefined();
});

test('what was written in since a time', () => {
  const [touched, quiet] = [tempFolder({ 'a/b/c': '1' }), tempFolder({ 'a/b/c': '1' })];
  const since = lstatSync(join(touched, 'a/b/c'), { bigint: true }).ctimeNs + 1_000_000_000n;
  expect(writtenSince([touched, quiet, '/no/such/folder'], since)).toEqual([]);
  let now = 0n;
  while (now < since) {
    writeFileSync(join(touched, 'a/b/c'), '2');
    now = lstatSync(join(touched, 'a/b/c'), { bigint: true }).ctimeNs;
  }
  expect(writtenSince([touched, quiet, '/no/such/folder'], since)).toEqual([touched]);
});
