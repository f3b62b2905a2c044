import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

const files = { 'a.txt': 'one\ntwo\n', '.env': 'TOKEN=hush-hush-hush\n' };
const here = (config?: string) => place(tempFolder(files), config);

test('the text of a call goes to stdout', async () => {
  expect(await here().run(['call', 'read_file', '{"path":"a.txt"}'])).toEqual({
    exit: 0,
    stdout: '1: one\n2: two\n',
    stderr: '',
  });
});

test('arguments come from stdin when they are -', async () => {
  const { stdout } = await here().run(['call', 'read_file', '-'], { stdin: '{"path":"a.txt","limit":1}' });
  expect(stdout).toContain('1: one\n');
  expect(stdout).not.toContain('two');
});

test('left-out arguments are {} where nothing is required, and invalid where something is', async () => {
  const at = here();
  expect((await at.run(['call', 'list_dir'])).exit).toBe(0);
  const { exit, stdout, stderr } = await at.run(['call', 'read_file']);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toContain('path');
});

test('text that is no JSON is wrong usage', async () => {
  const at = here();
  for (const text of ['{"path":', 'path=a', '{} {}']) {
    const { exit, stdout, stderr } = await at.run(['call', 'read_file', text]);
    expect([text, exit, stdout]).toEqual([text, 2, '']);
    expect(stderr).toMatch(/^benchdog: the arguments are not one JSON value: .*\nSee benchdog --help\.\n$/);
  }
});

test('an argument that the tool refuses is invalid: exit 1, the field named, on stderr', async () => {
  const { exit, stdout, stderr } = await here().run(['call', 'read_file', '{"path":"a.txt","line":3}']);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toContain('line');
});

test.each([
  ['{"path":"nope.txt"}', 'missing', 1],
  ['{"path":"../x"}', 'outside', 1],
  ['{"path":7}', 'invalid', 1],
  ['{"path":".env"}', 'denied', 3],
])('read_file %s is %s', async (args, code, exit) => {
  const result = await here().run(['call', 'read_file', args, '--json']);
  expect([result.exit, result.stderr]).toEqual([exit, '']);
  const { text, ...rest } = JSON.parse(result.stdout);
  expect(rest).toEqual({ ok: false, code });
  expect(text).not.toContain('hush');
});

test('--json of a change has its summary', async () => {
  const at = here();
  const args = { path: 'a.txt', oldString: 'two', newString: 'TWO' };
  const { exit, stdout } = await at.run(['call', 'edit_file', JSON.stringify(args), '--json', '--yolo']);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    text: expect.any(String),
    changes: [{ type: 'modify', path: 'a.txt', added: 1, removed: 1 }],
  });
  expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
});

test('--json of a rename has where it went', async () => {
  const at = here();
  const { stdout } = await at.run(['call', 'move_file', '{"from":"a.txt","to":"b.txt"}', '--json', '--yolo']);
  expect(JSON.parse(stdout).changes).toEqual([{ type: 'rename', path: 'a.txt', to: 'b.txt', added: 0, removed: 0 }]);
});

const write = ['call', 'write_file', '{"path":"n.txt","content":"new\\n"}'];

test('what would have to be asked is denied where nobody can be, and says how to allow it', async () => {
  const at = here();
  const { exit, stderr } = await at.run(write);
  expect(exit).toBe(3);
  expect(stderr).toContain(
    "nobody could be asked. Nothing was done. Whoever starts this can allow it with --allow 'wri",
  );
  expect(existsSync(join(at.root, 'n.txt'))).toBe(false);
});

test.each([
  [['--approve', 'all'], 0],
  [['--yolo'], 0],
  [['--approve', 'edits'], 0],
  [['--approve', 'none'], 3],
  [['--approve', 'ask'], 3],
  [['--allow', 'write_file:n.txt'], 0],
  [['--allow', 'write_file'], 0],
  [['--allow', 'write_file:other.txt'], 3],
  [['--yolo', '--deny', 'write_file:*.txt'], 3],
  [['--yolo', '--deny', 'write_file:*.txt', '--allow', 'write_file:n.txt'], 3],
])('%j decides a write: exit %i', async (flags, exit) => {
  const at = here();
  expect((await at.run([...write, ...flags])).exit).toBe(exit);
  expect(existsSync(join(at.root, 'n.txt'))).toBe(exit === 0);
});

test('edits are unasked under --approve edits, commands are not', async () => {
  const at = here();
  expect((await at.run(['call', 'bash', '{"command":"touch x"}', '--approve', 'edits'])).exit).toBe(3);
  expect(existsSync(join(at.root, 'x'))).toBe(false);
});

test('--plan offers nothing that changes files or runs commands', async () => {
  const at = here();
  const { exit, stderr } = await at.run([...write, '--plan', '--yolo']);
  expect(exit).toBe(2);
  expect(stderr).toContain('there is no tool "write_file"');
  expect((await at.run(['call', 'read_file', '{"path":"a.txt"}', '--plan'])).exit).toBe(0);
});

test('flags before the command count too, the nearer one wins, and rules add up', async () => {
  const at = here();
  const { runHere } = await import('../support/command-line.ts');
  const env = { ...process.env, BENCHDOG_HOME: at.home };
  const other = tempFolder({ 'a.txt': 'other\n' });
  const read = await runHere(['--root', at.root, 'call', 'read_file', '{"path":"a.txt"}', '--root', other], { env });
  expect(read.stdout).toBe('1: other\n');
  const deny = ['--root', at.root, '--deny', 'read_file:a.txt', 'call', '--deny', 'read_file:b.txt'];
  expect((await runHere([...deny, 'read_file', '{"path":"a.txt"}'], { env })).exit).toBe(3);
});

test('in udiff the text of an error begins as its document says', async () => {
  const { stderr } = await here().run(['call', 'read_file', '{"path":"nope"}', '--dialect', 'udiff']);
  expect(stderr).toMatch(/^Tool call failed: /);
});

test('rousseau takes absolute paths only', async () => {
  const at = here();
  expect((await at.run(['call', 'read', '{"path":"a.txt"}', '--dialect', 'rousseau'])).exit).toBe(1);
  const path = join(at.root, 'a.txt');
  expect((await at.run(['call', 'read', JSON.stringify({ path }), '--dialect', 'rousseau'])).exit).toBe(0);
});
