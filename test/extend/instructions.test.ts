import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstructions } from '../../src/extend/instructions.ts';
import { tempFolder } from '../support/folders.ts';
import { openApp } from './mcp-support.ts';

const anything = () => true;

test('from the git root down to the workspace, each text once', async () => {
  const top = tempFolder({
    'AGENTS.md': 'outer',
    'a/CLAUDE.md': 'middle',
    'a/b/AGENTS.md': 'inner',
    'a/b/CLAUDE.md': 'inner',
  });
  mkdirSync(join(top, '.git'));
  expect(await readInstructions(join(top, 'a/b'), anything)).toEqual([
    { path: '../../AGENTS.md', text: 'outer' },
    { path: '../CLAUDE.md', text: 'middle' },
    { path: 'AGENTS.md', text: 'inner' },
  ]);
});

test('a link out of the repository, a folder and a file that is too large give none', async () => {
  const outside = tempFolder({ 'rules.md': 'from elsewhere' });
  const root = tempFolder({ '.git/x': '', 'a/AGENTS.md': Buffer.alloc(2 << 20, 'x'), 'a/CLAUDE.md/x': '' });
  symlinkSync(join(outside, 'rules.md'), join(root, 'AGENTS.md'));
  expect(await readInstructions(join(root, 'a'), anything)).toEqual([]);
});

test('what may not be read is no instruction either, by whatever name', async () => {
  const top = tempFolder({ '.env': 'KEY=outer-secret', 'a/.env': 'KEY=inner-secret', 'a/b/secrets/c.md': 'KEY=deep' });
  mkdirSync(join(top, '.git'));
  symlinkSync('.env', join(top, 'AGENTS.md'));
  symlinkSync('.env', join(top, 'a/AGENTS.md'));
  linkSync(join(top, 'a/.env'), join(top, 'a/b/CLAUDE.md'));
  symlinkSync('secrets/c.md', join(top, 'a/b/AGENTS.md'));
  const app = await openApp(join(top, 'a/b'), { deny: ['read_file:secrets/*'] });
  expect(await readInstructions(join(top, 'a/b'), app.policy.visible)).toEqual([]);
});
