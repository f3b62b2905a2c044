import { linkSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hiddenFiles } from '../../src/workspace/hidden-files.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

const visible = ({ rel }: { rel: string }) => !rel.endsWith('.env');

test('another name of a hidden file is hidden as well, however it came to be', async () => {
  const root = tempFolder({ '.env': 'KEY=1\n', 'a/b/prod.env': 'KEY=2\n', 'plain.txt': 'x\n' });
  const workspace = openWorkspace({ root, visible });
  const denial = (name: string) =>
    workspace.read(workspace.resolve(name)).then(
      ({ bytes }) => bytes.toString(),
      (error: Error) => error.message,
    );
  const age = () => utimesSync(root, 0, 0); // so that the next change shows, however coarse the system's clock is
  linkSync(join(root, '.env'), join(root, 'notes.txt'));
  linkSync(join(root, 'plain.txt'), join(root, 'plain2.txt'));
  expect(await denial('notes.txt')).toBe('Reading notes.txt is denied: it is another name (a hard link) of .env.');
  expect(workspace.visible(workspace.resolve('notes.txt'))).toBe(false);
  expect(await denial('plain2.txt')).toBe('x\n');
  expect(workspace.visible(workspace.resolve('plain2.txt'))).toBe(true);

  age();
  linkSync(join(root, 'a/b/prod.env'), join(root, 'later.txt'));
  expect(await denial('later.txt')).toBe(
    'Reading later.txt is denied: it is another name (a hard link) of a/b/prod.env.',
  );
  rmSync(join(root, 'a/b/prod.env'));
  expect(await denial('later.txt')).toBe('KEY=2\n');
  age();
  expect(await denial('plain.txt')).toBe('x\n');
  renameSync(join(root, 'plain2.txt'), join(root, 'x.env'));
  expect(await denial('plain.txt')).toBe('Reading plain.txt is denied: it is another name (a hard link) of x.env.');
});

test('the upper four levels are looked at, anew only when something changed', () => {
  const root = tempFolder({ '1/2/3/a.env': '', '1/2/3/4/b.env': '', 'node_modules/c.env': '' });
  const workspace = openWorkspace({ root });
  utimesSync(root, 0, 0);
  const hidden = hiddenFiles(workspace.root, visible);
  const first = hidden();
  expect(first.map(({ rel }) => rel)).toEqual(['1/2/3/a.env']);
  expect(hidden()).toBe(first);
  mkdirSync(join(root, 'new'));
  writeFileSync(join(root, 'new/d.env'), '');
  expect(hidden().map(({ rel }) => rel)).toEqual(['new/d.env', '1/2/3/a.env']);
});
