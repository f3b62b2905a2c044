import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

async function withSession() {
  const root = tempFolder({ 'a.txt': 'one\n' });
  const script = join(tempFolder({ 's.json': JSON.stringify([{ text: 'Hello.' }, { text: 'Again.' }]) }), 's.json');
  const at = place(root);
  const { exit } = await at.run(['-p', 'say hello', '--model', `scripted:${script}`]);
  expect(exit).toBe(0);
  const { stdout } = await at.run(['sessions', '--json']);
  return { at, script, id: JSON.parse(stdout).id as string };
}

test('no sessions: said, and nothing in JSON', async () => {
  const at = place(tempFolder());
  expect((await at.run(['sessions'])).stdout).toBe('No sessions yet.\n');
  expect((await at.run(['sessions', 'list', '--json'])).stdout).toBe('');
});

test('sessions lists id, time, folder and title', async () => {
  const { at, id } = await withSession();
  const { stdout } = await at.run(['sessions']);
  expect(stdout).toMatch(/^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+ {2}say hello\n$/);
  expect(stdout).toContain(id);
  expect(stdout).toContain(at.root);
});

test('show prints its records, one a line', async () => {
  const { at, id } = await withSession();
  const { exit, stdout } = await at.run(['sessions', 'show', id.slice(0, 8)]);
  expect(exit).toBe(0);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(JSON.stringify(records)).toContain('say hello');
  expect(JSON.stringify(records)).toContain('Hello.');
});

test('fork makes a new one, rm takes one away', async () => {
  const { at, id } = await withSession();
  const forked = JSON.parse((await at.run(['sessions', 'fork', id, '--json'])).stdout);
  expect(forked).toEqual({ ok: true, id: expect.any(String) });
  expect(forked.id).not.toBe(id);
  expect((await at.run(['sessions', 'rm', id])).stdout).toBe(`${id}\n`);
  const left = (await at.run(['sessions', '--json'])).stdout.trimEnd().split('\n');
  expect(left.map((line) => JSON.parse(line).id)).toEqual([forked.id]);
});

test('an unknown id is an error', async () => {
  const { at } = await withSession();
  const { exit, stderr } = await at.run(['sessions', 'show', 'zzzz']);
  expect(exit).toBe(1);
  expect(stderr).toContain('zzzz');
});

test.each([['-c'], ['-r']])('%s goes on with a session', async (flag) => {
  const { at, script, id } = await withSession();
  const args = flag === '-r' ? ['-r', id.slice(0, 8)] : ['-c'];
  const { exit, stdout } = await at.run(['-p', 'once more', '--model', `scripted:${script}`, '--json', ...args]);
  expect(exit).toBe(0);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'session', id, resumed: true });
  expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Again.' });
});
