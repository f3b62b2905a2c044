import { mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGate } from '../../src/open-gate.ts';
import { tempFolder } from '../support/folders.ts';

test.each([
  ['a.txt', 'link', 'sub/deep/link', '../../a.txt'],
  ['../a.txt', 'sub/link', 'link', 'a.txt'],
  ['../a.txt', 'sub/link', 'other/link', undefined],
  ['a.txt', 'link', 'link2', undefined],
  ['./gone', 'link', 'sub/link', '../gone'],
  ['door/../b.txt', 'link', 'sub/link', '../door/../b.txt'],
  ['..', 'sub/link', 'link', '.'],
])('a link to %s that moves from %s to %s leads where it led', async (target, from, to, expected) => {
  const root = tempFolder({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'sub/inner/c.txt': '' });
  mkdirSync(join(root, 'other'));
  symlinkSync('sub/inner', join(root, 'door'));
  symlinkSync(target, join(root, from));
  const { gate, close } = await openGate({ root, home: tempFolder(), approve: 'edits' });
  onTestFinished(close);
  const read = (path: string) => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  const led = read(from);
  const note = expected === undefined ? '' : ` (a link; its target is spelled ${expected} now)`;
  const moved = await gate.call({ id: '1', tool: 'move_file', args: { from, to } });
  expect(moved).toMatchObject({ ok: true, text: `moved ${from} -> ${to}${note}` });
  expect([readlinkSync(join(root, to)), read(to)]).toEqual([expected ?? target, led]);
  expect(await gate.call({ id: '2', tool: 'undo', args: {} })).toMatchObject({ ok: true });
  expect([readlinkSync(join(root, from)), read(from), read(to)]).toEqual([target, led, 'ENOENT']);
});
