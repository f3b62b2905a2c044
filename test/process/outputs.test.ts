import { existsSync, linkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGate } from '../../src/open-gate.ts';
import { endOutputs, outputsFolder, removeAbandonedOutputs } from '../../src/process/outputs.ts';
import { findProgram } from '../../src/process/program.ts';
import { tempFolder } from '../support/folders.ts';

test('whole outputs go with a session, unless it has a log and can be gone on with', () => {
  const home = tempFolder({ 'outputs/a/1': 'x', 'outputs/b/1': 'x', 'sessions/b.jsonl': '' });
  endOutputs(home, 'a');
  endOutputs(home, 'b');
  expect([existsSync(outputsFolder(home, 'a')), existsSync(outputsFolder(home, 'b'))]).toEqual([false, true]);
});

test('what a session left that could not end goes a day later', () => {
  const home = tempFolder({
    'outputs/old/1': 'x',
    'outputs/new/1': 'x',
    'outputs/kept/1': 'x',
    'sessions/kept.jsonl': '',
  });
  for (const name of ['old', 'kept']) utimesSync(join(home, 'outputs', name), 1, 1);
  removeAbandonedOutputs(home);
  expect(['old', 'new', 'kept'].map((name) => existsSync(outputsFolder(home, name)))).toEqual([false, true, true]);
});

test('a whole output is read and searched while the gate is open, and gone when it is closed', async () => {
  const [home, root] = [tempFolder(), tempFolder()];
  const { gate, close } = await openGate({ root, home, permission: { '*': 'allow' }, sandbox: { mode: 'off' } });
  await gate.call({ id: '1', tool: 'bash', args: { command: 'seq 20000' } });
  const read = await gate.call({ id: '2', tool: 'read_file', args: { path: '@output/1', offset: 19_999 } });
  const found = await gate.call({ id: '3', tool: 'grep', args: { pattern: '^19999$', paths: ['@output/1'] } });
  await close();
  expect([read.text, found.text]).toEqual(['19999: 19999\n20000: 20000', '@output/1:19999: 19999']);
  expect(existsSync(join(home, 'outputs')) && existsSync(join(home, 'outputs', '1'))).toBe(false);
});

test.skipIf(findProgram('bwrap') === undefined)(
  'hidden secrets are hidden however deep they lie, and under their other names',
  async () => {
    const root = tempFolder({
      '.env': 'A=zzz-secret-1\n',
      'a/b/c/d/e/f/g/.env': 'A=zzz-secret-2\n',
      'a/b/plain': 'fine\n',
    });
    linkSync(join(root, '.env'), join(root, 'a/other-name'));
    const { gate, close } = await openGate({
      root,
      home: tempFolder(),
      approve: 'all',
      sandbox: { mode: 'require', secrets: 'hide' },
    });
    const { text } = await gate.call({
      id: '1',
      tool: 'bash',
      args: { command: 'find . -type f | while read -r name; do base64 < "$name"; done; find . -type c' },
    });
    await close();
    const shown = [...text.matchAll(/^[A-Za-z0-9+]{6,}=*$/gm)].map(([line]) => Buffer.from(line, 'base64').toString());
    expect(text).toContain('exit code: 0');
    expect(shown).toEqual(['fine\n']);
    expect(text).toContain('./a/b/c/d/e/f/g/.env');
  },
);
