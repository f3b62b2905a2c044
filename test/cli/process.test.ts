import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ended, place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';
import { until } from '../support/processes.ts';

test('the exit code and the streams are those of the process', async () => {
  const at = place(tempFolder({ 'a.txt': 'one\n' }));
  const [fine, wrong] = await Promise.all([
    ended(at.start(['call', 'read_file', '{"path":"a.txt"}'])),
    ended(at.start(['call', 'read_file', '{"path":'])),
  ]);
  expect(fine).toEqual({ exit: 0, stdout: '1: one\n', stderr: '' });
  expect([wrong.exit, wrong.stdout]).toEqual([2, '']);
});

test('a reader that has seen enough is no error', async () => {
  const at = place(tempFolder({ 'big.txt': 'x'.repeat(79).concat('\n').repeat(1500) }));
  const child = at.start(['call', 'read_file', '{"path":"big.txt"}']);
  child.stdout!.once('data', () => child.stdout!.destroy());
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((done) => child.once('close', done));
  expect([code, stderr]).toEqual([0, '']);
});

test('SIGINT ends a command and its children: exit 130', async () => {
  const root = tempFolder();
  const at = place(root);
  const child = at.start(['call', 'bash', '{"command":"touch started; sleep 60; touch finished"}', '--yolo']);
  const end = ended(child);
  await until(() => existsSync(join(root, 'started')), 25_000);
  child.kill('SIGINT');
  expect((await end).exit).toBe(130);
  expect(existsSync(join(root, 'finished'))).toBe(false);
});

test('nothing is coloured where nobody looks, with NO_COLOR or without', async () => {
  const at = place(tempFolder({ 'a.txt': 'one\n' }));
  const { stdout, stderr } = await ended(at.start(['doctor'], { env: { NO_COLOR: '1', FORCE_COLOR: '0' } }));
  expect(stdout + stderr).not.toContain('\u001b');
});

test('what a plugin leaves to fail in the background is told as its failure, and the work goes on', async () => {
  const at = place(tempFolder({ 'a.txt': 'one\n' }), '{"plugins": ["mine"]}');
  const code = `
    Promise.reject(new Error('nobody waits \\u001b[31mfor me'));
    setTimeout(() => { throw new TypeError('late'); }, 1);
    export default { before: () => new Promise((done) => setTimeout(done, 50)) };`;
  mkdirSync(join(at.home, 'plugins'));
  writeFileSync(join(at.home, 'plugins', 'mine.mjs'), code);
  const end = await ended(at.start(['call', 'read_file', '{"path":"a.txt"}']));
  expect([end.exit, end.stdout]).toEqual([0, '1: one\n']);
  expect(end.stderr.split('\n').sort()).toEqual([
    '',
    'benchdog: The plugin mine failed in the background: late',
    'benchdog: The plugin mine failed in the background: nobody waits \\u001b[31mfor me',
  ]);
});
