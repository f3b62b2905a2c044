import { expect, test } from 'vitest';
import { expandCommand, findCommands } from '../../src/extend/custom-commands.ts';
import { tempFolder } from '../support/folders.ts';

const taken = new Set(['help', 'diff']);
const echo = async (command: string) => `<${command}>`;

test('commands come from the user, and from the project when it is trusted', async () => {
  const home = tempFolder({
    'commands/review.md': '---\ndescription: review it\nargument-hint: REV\n---\nReview $1.\n',
  });
  const root = tempFolder({ '.benchdog/commands/ship.md': '# Ship it\n\nNow.\n' });
  const own = await findCommands({ root, home, trusted: false, taken });
  expect(own.list.map(({ load: _, ...rest }) => rest)).toEqual([
    { name: 'review', description: 'review it', argument: 'REV' },
  ]);
  expect(await own.list[0]!.load()).toBe('Review $1.');
  const both = await findCommands({ root, home, trusted: true, taken });
  expect(both.list.map(({ name, description }) => [name, description])).toEqual([
    ['review', 'review it'],
    ['ship', 'Ship it'],
  ]);
});

test('no file takes the name of another command, ours or the user’s', async () => {
  const home = tempFolder({ 'commands/diff.md': 'x', 'commands/mine.md': 'user' });
  const root = tempFolder({ '.benchdog/commands/mine.md': 'project', '.benchdog/commands/Bad Name.md': 'x' });
  const { list, notices } = await findCommands({ root, home, trusted: true, taken });
  expect([list.length, await list[0]!.load()]).toEqual([1, 'user']);
  expect(notices.map((notice) => notice.replace(/^.*\/(?=[^/]*\.md)/, ''))).toEqual([
    'diff.md is left out: there is a command /diff already, and none is replaced.',
    'Bad Name.md is left out: names are small letters, digits, "-" and "_".',
    'mine.md is left out: there is a command /mine already, and none is replaced.',
  ]);
});

test('a file that leads out of the folder is left out', async () => {
  const home = tempFolder({ 'commands/a.md': 'fine' });
  const { symlinkSync } = await import('node:fs');
  symlinkSync('/etc/passwd', `${home}/commands/out.md`);
  const { list, notices } = await findCommands({ root: tempFolder(), home, trusted: false, taken });
  expect(list.map(({ name }) => name)).toEqual(['a']);
  expect(notices).toHaveLength(1);
});

test('arguments are put in: all, one by one, none', async () => {
  expect(await expandCommand('a $ARGUMENTS b $1 c $2 d $3e', 'one two', echo)).toBe('a one two b one c two d e');
  expect(await expandCommand('costs $10 and $ARGUMENTSX', 'one', echo)).toBe('costs $10 and $ARGUMENTSX');
});

test('commands are run where they stand, in order, with arguments quoted for the shell', async () => {
  const ran: string[] = [];
  const shell = async (command: string) => {
    ran.push(command);
    return `(${ran.length})`;
  };
  const text = await expandCommand('!`git show $1` then !`wc $ARGUMENTS`', "x; rm -rf 'y'", shell);
  expect(ran).toEqual(["git show 'x;'", "wc 'x; rm -rf '\\''y'\\'''"]);
  expect(text).toBe('(1) then (2)');
});

test('nothing in an argument is expanded, and nothing that a command says', async () => {
  expect(await expandCommand('say $ARGUMENTS', '!`touch pwned` $1', echo)).toBe('say !`touch pwned` $1');
  expect(await expandCommand('!`x` end', '', async () => '!`again` $1')).toBe('!`again` $1 end');
});

test('a command that is denied sends nothing', async () => {
  const denied = async () => {
    throw new Error('denied');
  };
  await expect(expandCommand('a !`b` c', '', denied)).rejects.toThrow('denied');
});
