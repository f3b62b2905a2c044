import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedReply } from '../../src/model/scripted.ts';
import { ended, place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';
import { until } from '../support/processes.ts';
import { repository } from '../support/repository.ts';

const call = (tool: string, args: object = {}): ScriptedReply => ({ calls: [{ tool, arguments: args }] });

function scripted(replies: readonly ScriptedReply[], root = repository({ 'a.txt': 'one\ntwo\n' }), config?: string) {
  const at = place(root, config);
  const file = join(at.home, 'script.json');
  writeFileSync(file, JSON.stringify(replies));
  const line = (flags: readonly string[]) => ['-p', 'do it', '--model', `scripted:${file}`, ...flags];
  return {
    ...at,
    print: (...flags: string[]) => at.run(line(flags)),
    begin: (...flags: string[]) => at.start(line(flags)),
  };
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}
const eventsOf = (stdout: string): Event[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const edit = call('edit_file', { path: 'a.txt', oldString: 'two', newString: 'TWO' });
const task = [
  call('read_file', { path: 'a.txt' }),
  call('grep', { pattern: 'two' }),
  edit,
  call('git_diff'),
  { text: 'The second line is loud now.' },
];

test('a real task in a real repository: reads, searches, edits, looks at the diff, ends', async () => {
  const at = scripted(task);
  const { exit, stdout, stderr } = await ended(at.begin('--approve', 'edits'));
  expect([exit, stdout]).toEqual([0, 'The second line is loud now.\n']);
  expect(stderr).toContain('> edit_file ');
  expect(stderr).toContain('1 file changed, verified\n');
  expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
});

test('--json: the agreed events in order, and what done carries', async () => {
  const { exit, stdout, stderr } = await scripted(task).print('--approve', 'edits', '--json');
  expect([exit, stderr]).toEqual([0, '']);
  const events = eventsOf(stdout);
  const step = ['usage', 'tool-start', 'tool-result'];
  const types = events.map(({ type }) => type).filter((type) => type !== 'tool-output');
  expect(types).toEqual(['session', ...step, ...step, ...step, ...step, 'text', 'usage', 'done']);
  expect(events.at(-1)).toEqual({
    type: 'done',
    exit: 0,
    text: 'The second line is loud now.',
    steps: 5,
    usage: expect.objectContaining({ input: expect.any(Number), output: expect.any(Number) }),
    cost: 0,
    receipt: {
      files: [{ path: 'a.txt', state: 'modified', digest: expect.stringMatching(/^[0-9a-f]{64}$/), diff: 'seen' }],
      commands: [],
      claims: [],
      verified: true,
    },
  });
});

test('exit 1: the model fails', async () => {
  const { exit, stderr } = await scripted([{ fault: { kind: 'auth', message: 'bad key' } }]).print();
  expect(exit).toBe(1);
  expect(stderr).toContain('bad key');
});

test('exit 2: no model, an unknown provider, a script that is not there', async () => {
  const at = place(tempFolder());
  const none = await at.run(['-p', 'x']);
  expect(none.exit).toBe(2);
  expect(none.stderr).toContain('benchdog login');
  expect(none.stderr).toContain('benchdog tour');
  expect((await at.run(['-p', 'x', '--model', 'nobody/x'])).stderr).toContain('names no known model provider');
});

test('exit 3: something needed an approval nobody could give', async () => {
  const at = scripted([edit, { text: 'I was not allowed to.' }]);
  const { exit, stdout } = await at.print('--json');
  expect(exit).toBe(3);
  expect(eventsOf(stdout).map(({ type }) => type)).toContain('tool-denied');
  expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('exit 4: finished, and the changes were not looked at', async () => {
  const { exit, stderr } = await scripted([edit, { text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }]).print(
    '--yolo',
  );
  expect(exit).toBe(4);
  expect(stderr).toContain('1 file changed, NOT verified');
});

test('exit 5: a limit was reached', async () => {
  const reads = Array.from({ length: 9 }, (_, at) => call('read_file', { path: 'a.txt', offset: at + 1 }));
  const { exit, stderr } = await scripted(reads).print('--max-steps', '2');
  expect(exit).toBe(5);
  expect(stderr).toContain('exit 5: a limit was reached');
});

test('exit 130: SIGINT stops a turn, and what runs with it', async () => {
  const at = scripted([call('bash', { command: 'touch started; sleep 60; touch finished' }), { text: 'x' }]);
  const child = at.begin('--yolo', '--json');
  const end = ended(child);
  await until(() => existsSync(join(at.root, 'started')), 25_000);
  child.kill('SIGINT');
  const { exit, stdout } = await end;
  expect(exit).toBe(130);
  expect(eventsOf(stdout).at(-1)).toMatchObject({ type: 'done', exit: 130 });
  expect(existsSync(join(at.root, 'finished'))).toBe(false);
});

test('the prompt comes from stdin when it is left out', async () => {
  const at = scripted([{ text: 'Hi.' }]);
  const file = join(at.home, 'script.json');
  const { exit, stdout } = await at.run(['-p', '--model', `scripted:${file}`], { stdin: 'hello there\n' });
  expect([exit, stdout]).toEqual([0, 'Hi.\n']);
  expect((await at.run(['sessions'])).stdout).toContain('hello there');
});

test('--plan: nothing that changes anything is offered', async () => {
  const at = scripted([edit, { text: 'I can only look.' }]);
  const { stdout } = await at.print('--plan', '--yolo', '--json');
  const events = eventsOf(stdout);
  expect(events.find(({ type }) => type === 'tool-error')).toMatchObject({ code: 'invalid' });
  expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('a denied secret is refused to every tool, and the answer goes on', async () => {
  const root = repository({ '.env': 'KEY=hush-hush-hush\n' });
  const replies = [call('read_file', { path: '.env' }), call('grep', { pattern: 'KEY' }), { text: 'Fine.' }];
  const { exit, stdout } = await scripted(replies, root).print('--json');
  expect(exit).toBe(3);
  expect(stdout).not.toContain('hush');
});

test('an answer without a tool changes nothing and needs no colour', async () => {
  const { stdout, stderr } = await scripted([{ text: 'Just words.' }]).print();
  expect([stdout, stderr]).toEqual(['Just words.\n', '']);
});

test.each(['udiff', 'rousseau'])('%s does a task of its own', async (dialect) => {
  const root = repository({ 'a.txt': 'one\ntwo\n' });
  const path = join(root, 'a.txt');
  const replies =
    dialect === 'udiff'
      ? [call('write_file', { path: 'a.txt', content: 'one\nTWO\n' }), call('git_diff'), { text: 'Done.' }]
      : [call('edit', { path, old_string: 'two', new_string: 'TWO' }), { text: 'Done.' }];
  const { exit } = await scripted(replies, root).print('--dialect', dialect, '--yolo');
  expect(exit).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('one\nTWO\n');
});
