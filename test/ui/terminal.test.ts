import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folders.ts';
import { takeSeat } from '../support/seat.ts';

const idle = '/ for commands';

test('a task: an answer streams, an approval shows the exact diff, what is approved is written', async () => {
  const { pane, root, requests } = await takeSeat({
    files: { 'a.txt': 'one\ntwo\nthree\n' },
    replies: [
      {
        text: 'I change it.',
        calls: [{ tool: 'edit_file', arguments: { path: 'a.txt', oldString: 'two', newString: '2' } }],
      },
      { calls: [{ tool: 'git_diff' }] },
      { text: 'It is **done**.' },
    ],
  });
  await pane.until(idle);
  await pane.type('make it a digit');
  await pane.press('Enter');
  const asked = await pane.until('y once');
  expect(asked).toContain('edit_file wants to change a.txt');
  expect(asked).toContain('2   - two');
  expect(asked).toContain('  2 + 2');
  expect(asked).toContain('asked by default: edit_file is asked');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  await pane.press('y');
  const done = await pane.until('It is done.');
  expect(done).toContain('modify a.txt +1 -1');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  expect(requests[1]?.text).toContain('a.txt');
});

test('a denial with a reason reaches the model', async () => {
  const { pane, requests, root } = await takeSeat({
    files: {},
    replies: [{ calls: [{ tool: 'write_file', arguments: { path: 'n.txt', content: 'x\n' } }] }, { text: 'Then not.' }],
  });
  await pane.until(idle);
  await pane.type('write');
  await pane.press('Enter');
  await pane.until('y once');
  await pane.press('n');
  await pane.until('Why not?');
  await pane.type('wrong folder');
  await pane.press('Enter');
  await pane.until('Then not.');
  expect(requests[1]?.text).toContain('wrong folder');
  expect(() => readFileSync(join(root, 'n.txt'))).toThrow();
});

test('an edited proposal is planned again and shown again before it is carried out', async () => {
  const editor = join(tempFolder({ 'ed.sh': 'printf "edited\\n" > "$1"\n' }), 'ed.sh');
  const { pane, root } = await takeSeat({
    replies: [
      { calls: [{ tool: 'write_file', arguments: { path: 'n.txt', content: 'proposed\n' } }] },
      { text: 'Fine.' },
    ],
    env: { EDITOR: `sh ${editor}` },
  });
  await pane.until(idle);
  await pane.type('write');
  await pane.press('Enter');
  await pane.until('+ proposed');
  await pane.press('e');
  await pane.until('+ edited');
  await pane.press('y');
  await pane.until('Fine.');
  expect(readFileSync(join(root, 'n.txt'), 'utf8')).toBe('edited\n');
});
