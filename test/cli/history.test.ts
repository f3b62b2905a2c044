import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Place, place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

async function edited(...contents: string[]): Promise<Place> {
  const at = place(tempFolder({ 'a.txt': '0\n' }));
  for (const content of contents) {
    const args = JSON.stringify({ path: 'a.txt', content });
    expect((await at.run(['call', 'write_file', args, '--yolo'])).exit).toBe(0);
  }
  return at;
}
const content = ({ root }: Place) => readFileSync(join(root, 'a.txt'), 'utf8');

interface Listed {
  readonly id: string;
  readonly state: string;
}
async function listed(at: Place): Promise<Listed[]> {
  const { stdout } = await at.run(['history', '--json']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('an empty history says so', async () => {
  const at = place(tempFolder());
  expect(await at.run(['history'])).toEqual({
    exit: 0,
    stdout: 'No changes in the journal of this workspace.\n',
    stderr: '',
  });
  expect((await at.run(['history', '--json'])).stdout).toBe('');
});

test('a name can neither move the cursor nor make a line of its own', async () => {
  const at = place(tempFolder());
  const path = 'a\u001b[31m\u0007\r\nfake line';
  const args = JSON.stringify({ path, content: '\u001b[2J\n' });
  const made = await at.run(['call', 'write_file', args, '--approve', 'edits'], { terminal: true });
  expect(made.stdout).toBe('created a\\u001b[31m\\u0007\\u000d\nfake line (5 bytes)\n');
  const read = ['call', 'read_file', JSON.stringify({ path })];
  expect((await at.run(read, { terminal: true })).stdout).toBe('1: \\u001b[2J\n');
  expect((await at.run(read)).stdout).toBe('1: \u001b[2J\n');
  const name = 'a\\u001b[31m\\u0007\\u000d\\nfake line';
  expect((await at.run(['history'])).stdout).toMatch(new RegExp(`write_file {2}create ${escaped(name)} \\+1 -0\\n$`));
  expect((await at.run(['undo'])).stdout).toContain(`(write_file): create ${name} +1 -0\n`);
});

const escaped = (text: string) => text.replace(/[\\[\]]/g, '\\$&');

test('history has what any session changed, newest first', async () => {
  const at = await edited('1\n', '2\n');
  const { stdout } = await at.run(['history']);
  const line = /^[0-9a-f]{10} {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}write_file {2}modify a\.txt \+1 -1$/;
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const one of lines) expect(one).toMatch(line);
  const [newest] = await listed(at);
  expect(newest).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{10}$/),
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    state: 'done',
    tool: 'write_file',
    session: expect.stringMatching(/^call-/),
    callId: expect.any(String),
    changes: [expect.objectContaining({ type: 'modify', path: 'a.txt', added: 1, removed: 1 })],
  });
  expect(lines[0]).toContain(newest!.id);
});

test('undo puts back the last change of any session, redo does it again', async () => {
  const at = await edited('1\n', '2\n');
  const undone = await at.run(['undo']);
  expect(undone).toEqual({
    exit: 0,
    stdout: expect.stringMatching(/^undid [0-9a-f]{10} \(write_file\): modify a\.txt \+1 -1\n$/),
    stderr: '',
  });
  expect(content(at)).toBe('1\n');
  expect((await listed(at)).map(({ state }) => state)).toEqual(['revert', 'undone', 'done']);
  expect((await at.run(['redo'])).stdout).toMatch(/^redid /);
  expect(content(at)).toBe('2\n');
});

test('undo N puts back the last N at once; more than there are is refused', async () => {
  const at = await edited('1\n', '2\n', '3\n');
  expect(await at.run(['undo', '4'])).toEqual({
    exit: 1,
    stdout: '',
    stderr: 'benchdog: There are only 3 changes to undo, not 4. Nothing was changed.\n',
  });
  expect((await at.run(['undo', '2'])).exit).toBe(0);
  expect(content(at)).toBe('1\n');
  expect((await at.run(['redo', '2'])).exit).toBe(0);
  expect(content(at)).toBe('3\n');
});

test('undo takes an id or its beginning', async () => {
  const at = await edited('1\n');
  const [{ id }] = (await listed(at)) as [Listed];
  const { exit, stdout } = await at.run(['undo', /^\d+$/.test(id.slice(0, 6)) ? id : id.slice(0, 6), '--json']);
  expect([exit, JSON.parse(stdout)]).toEqual([0, { ok: true, as: 'undo', entries: [id] }]);
  expect(content(at)).toBe('0\n');
  expect((await at.run(['undo', id])).stderr).toBe(`benchdog: ${id} is undone already. Nothing was changed.\n`);
  expect(await at.run(['undo', 'zz'])).toEqual({
    exit: 1,
    stdout: '',
    stderr: 'benchdog: No change in the journal has an id that begins with "zz".\n',
  });
});

test('someone’s newer edit is not overwritten; what differs is said', async () => {
  const at = await edited('1\n');
  writeFileSync(join(at.root, 'a.txt'), 'mine\n');
  const { exit, stdout, stderr } = await at.run(['undo']);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^benchdog: a\.txt is not as change \w+ \(write_file\) left it: it has 5 bytes, it had 2\. Somebody changed it since\. Nothing was changed\./,
  );
  expect(content(at)).toBe('mine\n');
});

test('nothing to undo or redo is an error', async () => {
  const at = place(tempFolder());
  expect(await at.run(['undo'])).toEqual({ exit: 1, stdout: '', stderr: 'benchdog: There is nothing to undo.\n' });
  expect((await at.run(['redo'])).stderr).toBe('benchdog: There is nothing to redo.\n');
});

test('the changes of a command line can be undone by the tool of that session only', async () => {
  const at = await edited('1\n');
  const { exit, stderr } = await at.run(['call', 'undo', '--yolo']);
  expect([exit, stderr]).toEqual([1, 'There is nothing to undo in this session.\n']);
});
