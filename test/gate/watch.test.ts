import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revert } from '../../src/cli/revert.ts';
import { openTestGate } from '../support/gate.ts';
import { repository, sh } from '../support/repository.ts';
import { ran } from '../support/view.ts';

const setup = { flags: { yolo: true }, config: { plugins: ['-guard'] } };
const files = { 'a.txt': 'one\n', 'd/b.txt': 'two\n', 'gone/x': 'x\n', 's.sh': 'echo\n' };
const command =
  'echo more >> a.txt; mkdir n; echo new > n/new.txt; rm -r gone; mv d/b.txt d/c.txt; chmod 755 s.sh; ln -s a.txt l';

const picture = (root: string) => sh(root, 'find . ! -type d -printf "%p %y %m %l\\n" | sort; cat a.txt d/*');

test('what a command changed on the workspace itself is noticed, and can be taken back and done again', async () => {
  const gate = await openTestGate({ ...setup, files });
  const before = picture(gate.root);
  const result = await gate.call('bash', { command });
  expect(result).toEqual({
    ok: true,
    text: `exit code: 0 ${ran}\n(no output)`,
    changes: [
      { type: 'modify', path: 'a.txt', added: 1, removed: 0 },
      { type: 'rename', path: 'd/b.txt', to: 'd/c.txt', added: 0, removed: 0 },
      { type: 'delete', path: 'gone/x', added: 0, removed: 1 },
      { type: 'create', path: 'l', added: 1, removed: 0 },
      { type: 'create', path: 'n/new.txt', added: 1, removed: 0 },
      { type: 'modify', path: 's.sh', added: 0, removed: 0 },
    ],
  });
  const after = picture(gate.root);
  await revert(gate.app, 'undo', {});
  expect(picture(gate.root)).toBe(before);
  await revert(gate.app, 'redo', {});
  expect(picture(gate.root)).toBe(after);
});

test('one that changes nothing leaves no entry, nor does what is ignored, vendored or git’s own', async () => {
  const script =
    'mkdir out node_modules; echo 1 > out/x; echo 2 > node_modules/y; git commit -q --allow-empty -m second; touch a';
  const root = repository({ '.gitignore': 'out/\n', a: 'a\n', 'run.sh': script });
  const gate = await openTestGate({ ...setup, root });
  expect(await gate.call('bash', { command: 'sh run.sh' })).toMatchObject({ ok: true, changes: [] });
  expect(gate.app.journal.entries()).toEqual([]);
});

test('edits and commands go back in one history, together', async () => {
  const gate = await openTestGate({ ...setup, files: { a: '1\n' } });
  await gate.call('write_file', { path: 'a', content: '2\n' });
  await gate.call('bash', { command: 'echo 3 > a' });
  await gate.call('bash', { command: 'echo 4 > a; exit 1' });
  await revert(gate.app, 'undo', { steps: 3 });
  expect(gate.read('a')).toBe('1\n');
});

test('an interrupted or failed command’s changes are noticed too', async () => {
  const gate = await openTestGate({ ...setup, files: { a: '1\n' } });
  expect(await gate.call('bash', { command: 'echo 2 > a; sleep 60', timeout: 1500 })).toMatchObject({
    code: 'timeout',
  });
  await revert(gate.app, 'undo', {});
  expect(gate.read('a')).toBe('1\n');
});

test('a large file’s old content is not remembered: said so', async () => {
  const gate = await openTestGate({ ...setup, files: { big: 'x'.repeat(1_100_000), a: 'a' } });
  const result = await gate.call('bash', { command: 'echo >> big; echo >> a' });
  expect(result.text).toContain("note: undo can't take back what it did to big (too large, or not to be read).");
  expect(result).toMatchObject({ changes: [{ path: 'a' }] });
});

test('a change that keeps size and times is seen', async () => {
  const gate = await openTestGate({ ...setup, files: { a: 'aaa\n' } });
  for (const text of ['bbb', 'ccc', 'ddd']) {
    const { mtime } = lstatSync(join(gate.root, 'a'));
    const result = await gate.call('bash', { command: `echo ${text} > a; touch -d ${mtime.toISOString()} a` });
    expect(result).toMatchObject({ changes: [{ path: 'a' }] });
  }
  expect(gate.app.journal.entries()).toHaveLength(3);
});

test('a workspace with very many files is not looked at', async () => {
  const gate = await openTestGate({ ...setup, files: { a: '1\n' } });
  sh(gate.root, 'mkdir m; for i in $(seq 2001); do : > m/$i; done');
  expect(await gate.call('bash', { command: 'echo 2 > a' })).toMatchObject({ ok: true, changes: [] });
  expect(readdirSync(gate.root)).toEqual(['a', 'm']);
});

test.each(['native', 'shiro', 'rousseau'])('in the dialect %s', async (dialect) => {
  const gate = await openTestGate({ ...setup, flags: { yolo: true, dialect }, files: { a: '1\n' } });
  expect(await gate.call('bash', { command: 'echo 2 > a' })).toMatchObject({ ok: true, changes: [{ path: 'a' }] });
});

test('commands side by side: each change is noticed once, and all go back', async () => {
  const gate = await openTestGate({ ...setup, files: { a: '1\n' } });
  const commands = [1, 2, 3, 4].map((at) => `echo ${at} > new${at}; sleep 0.${at}; echo ${at} > late${at}`);
  await Promise.all(commands.map((command) => gate.call('bash', { command })));
  const changed = gate.app.journal.entries().flatMap(({ changes }) => changes.map(({ path }) => path));
  expect(changed.sort()).toEqual(readdirSync(gate.root).filter((name) => name !== 'a'));
  const steps = gate.app.journal.entries().length;
  await revert(gate.app, 'undo', { steps });
  expect(readdirSync(gate.root)).toEqual(['a']);
});
