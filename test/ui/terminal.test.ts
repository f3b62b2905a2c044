import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { drive, idle, modelBy } from '../support/drive.ts';
import { tempFolder } from '../support/folders.ts';
import { takeSeat } from '../support/seat.ts';

// A whole program in a terminal, on whatever machine.
vi.setConfig({ testTimeout: 240_000 });

const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');

test('a whole task: approval, denial with a reason, edited proposal, chosen hunk, interrupt, queue, resume', async () => {
  const editor = join(tempFolder({ 'ed.sh': 'printf "edited\\n" > "$1"\n' }), 'ed.sh');
  const replies = modelBy({
    approve: {
      text: 'I change it.',
      calls: [{ tool: 'edit_file', arguments: { path: 'a.txt', oldString: 'two', newString: '2' } }],
    },
    refuse: { calls: [{ tool: 'write_file', arguments: { path: 'no.txt', content: 'x\n' } }] },
    propose: { calls: [{ tool: 'write_file', arguments: { path: 'n.txt', content: 'proposed\n' } }] },
    hunks: {
      calls: [
        {
          tool: 'multi_edit',
          arguments: {
            path: 'long.txt',
            edits: [
              { oldString: 'line 2\n', newString: 'LINE 2\n' },
              { oldString: 'line 30\n', newString: 'LINE 30\n' },
            ],
          },
        },
      ],
    },
    slow: { calls: [{ tool: 'bash', arguments: { command: 'echo begun; sleep 60; echo ended' } }] },
  });
  const files = { 'a.txt': 'one\ntwo\nthree\n', 'long.txt': lines };
  const config = { maxVerificationNudges: 0 };
  const { pane, root, home, requests } = await takeSeat({ files, config, replies, env: { EDITOR: `sh ${editor}` } });
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const { send } = drive(pane);
  await pane.until(idle);

  await send('approve this');
  const asked = await pane.until('y once');
  expect(asked).toContain('edit_file wants to change a.txt');
  expect(asked).toContain('2   - two');
  expect(asked).toContain('  2 + 2');
  expect(asked).toContain('asked by default: edit_file is asked');
  expect(read('a.txt')).toBe('one\ntwo\nthree\n');
  // No more than the sixteen colours of the terminal's own palette.
  const colours = await pane.colours();
  expect(colours).toMatch(/\x1b\[[0-9;]*3\d/);
  expect(colours).not.toMatch(/\x1b\[[0-9;]*[34]8;/);
  await pane.press('y');
  expect(await pane.until('Told: ')).toContain('modify a.txt +1 -1');
  expect(read('a.txt')).toBe('one\n2\nthree\n');

  await pane.until(idle);
  await send('refuse this');
  await pane.until('y once');
  await pane.press('n');
  await pane.until('Why not?');
  await pane.type('wrong folder');
  await pane.press('Enter');
  await pane.until('Told: The user declined write_file. Reason: wrong folder.');
  expect(existsSync(join(root, 'no.txt'))).toBe(false);

  await pane.until(idle);
  await send('propose something');
  await pane.until('+ proposed');
  await pane.press('e');
  await pane.until('+ edited');
  await pane.press('y');
  await pane.until('created n.txt');
  expect(read('n.txt')).toBe('edited\n');

  await pane.until(idle);
  await send('two hunks');
  await pane.until('h by hunk');
  await pane.press('h');
  await pane.until('hunk 1 of 2');
  await pane.press('n', 'Enter');
  await pane.until('modify long.txt +1 -1');
  expect(read('long.txt')).toBe(lines.replace('line 30\n', 'LINE 30\n'));
  await pane.until(idle);
  expect(requests.at(-1)!.text).toContain('The user left out one hunk: long.txt#1.');

  await send('slow one');
  await pane.until('y once');
  await pane.press('y');
  await pane.until('  begun');
  await send('the next thing');
  await pane.until('queued: the next thing');
  await pane.press('C-c');
  await pane.until('Told: The user interrupted this command.');
  await pane.until('You said the next thing.');

  await pane.until(idle);
  await pane.press('C-d');
  const again = await takeSeat({ root, home, replies, args: '-c' });
  const resumed = await again.pane.until(idle);
  expect(resumed).toContain('› the next thing');
  expect(resumed).toContain('You said the next thing.');
  await again.pane.type('and on');
  await again.pane.press('Enter');
  await again.pane.until('You said and on.');
  expect(again.requests.at(-1)!.text).toContain('the next thing');
});

test('esc ends the turn and gives back what waited; ctrl-c quits only at the second time while something is typed', async () => {
  const replies = modelBy({ slow: { calls: [{ tool: 'bash', arguments: { command: 'sleep 60' } }] } });
  const { pane } = await takeSeat({ replies, args: '--yolo', shell: true });
  await pane.until(idle);
  await pane.type('slow one');
  await pane.press('Enter');
  await pane.until('bash sleep 60');
  await pane.type('waits');
  await pane.press('Enter');
  await pane.until('queued: waits');
  await pane.press('Escape');
  await pane.until('exit 130: interrupted');
  const after = await pane.until(idle);
  expect(after).toMatch(/─\nwaits\n─/);
  await pane.press('C-c');
  await pane.until('again to quit; what you typed would be lost');
  await pane.press('C-c');
  const left = await pane.until(/shell\$ *\n*$/);
  expect(left).toMatch(/benchdog -r \S+ goes on with this session\./);
});

test('the mode goes round by a key: plan refuses to write, accept edits does not ask and shows the diff', async () => {
  const replies = modelBy({
    write: { calls: [{ tool: 'write_file', arguments: { path: 'n.txt', content: 'new\n' } }] },
  });
  const { pane, root, requests } = await takeSeat({ replies, config: { maxVerificationNudges: 0 } });
  await pane.until('ask first');
  await pane.press('BTab', 'BTab');
  await pane.until('plan only');
  await pane.type('write it');
  await pane.press('Enter');
  await pane.until('Told: ');
  expect(requests[0]!.text).toContain('Plan mode');
  expect(requests[0]!.text).not.toContain('"write_file"');
  expect(existsSync(join(root, 'n.txt'))).toBe(false);
  await pane.press('BTab', 'BTab');
  await pane.until('accept edits');
  await pane.type('write it');
  await pane.press('Enter');
  const written = await pane.until('create n.txt +1 -0');
  expect(written).toContain('  1 + new');
});

test('suspended and taken up again, resized, and left: the terminal is as it was', async () => {
  const { pane } = await takeSeat({ replies: modelBy({}), shell: true });
  await pane.until(idle);
  await pane.type('hello');
  await pane.press('Enter');
  await pane.until('You said hello.');
  await pane.press('C-z');
  await pane.until('Stopped');
  await pane.type('stty -a | tr ";" "\\n" | grep -c -- "-icanon"; fg');
  await pane.press('Enter');
  await pane.until(idle);
  await pane.type('still here');
  await pane.resize(60, 20);
  await pane.until(/\nstill here\n/);
  await pane.resize(110, 30);
  await pane.until(/─{109}\nstill here\n─{109}/);
  expect((await pane.all()).match(/You said hello\./g)).toHaveLength(1);
  await pane.press('C-u', 'C-d');
  await pane.until(/shell\$ *\n*$/);
  await pane.type('stty -a | tr " ;" "\\n\\n" | grep -x icanon');
  await pane.press('Enter');
  await pane.until(/\nicanon\n/);
});

test('paste of several lines is one prompt; @ completes a path, / a command', async () => {
  const { pane, requests } = await takeSeat({
    replies: modelBy({}),
    files: { 'src/parse.ts': '', 'docs/sparse.md': '' },
  });
  await pane.until(idle);
  await pane.paste('first\nsecond');
  await pane.until(/first\nsecond/);
  await pane.type(' @pars');
  await pane.until(/› src\/parse\.ts|→ src\/parse\.ts/);
  await pane.press('Tab');
  await pane.until('second @src/parse.ts');
  await pane.press('Enter');
  await pane.until('You said first');
  expect(requests[0]!.body.messages.at(-1).content).toBe('first\nsecond @src/parse.ts');
  await pane.type('/too');
  await pane.until('the tools on offer');
  await pane.press('Enter');
  await pane.until('- task  session');
});

test('without colour, in a locale without Unicode', async () => {
  const { pane } = await takeSeat({ replies: modelBy({}), env: { NO_COLOR: '1', LC_ALL: 'C' } });
  await pane.until(idle);
  await pane.type('hello');
  await pane.press('Enter');
  await pane.until('You said hello.');
  const screen = await pane.colours();
  expect(screen).not.toMatch(/\x1b\[3\dm/);
  expect(screen).not.toMatch(/[^\x00-\x7f]/);
});

test('a dumb terminal, and --plain, get the session line by line', async () => {
  const { pane } = await takeSeat({ replies: modelBy({}), env: { TERM: 'dumb' } });
  await pane.until('/quit ends');
  await pane.type('hello');
  await pane.press('Enter');
  const text = await pane.until('You said hello.');
  expect(text).not.toContain('ask first');
});
