import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { drive, idle, modelBy } from '../support/drive.ts';
import { tempFolder } from '../support/folders.ts';
import { repository } from '../support/repository.ts';
import { takeSeat } from '../support/seat.ts';

// A whole program in a terminal, on whatever machine.
vi.setConfig({ testTimeout: 240_000 });

const edit = { tool: 'edit_file', arguments: { path: 'a.txt', oldString: 'one', newString: 'two' } };
const todos = [
  { content: 'first thing', status: 'done' },
  { content: 'second thing', status: 'in_progress' },
];
const replies = modelBy({
  // First: what was said before stands in the summary that goes with it.
  'write AGENTS.md': { text: 'Here is an AGENTS.md.' },
  'change it': { calls: [edit] },
  'plan it': { calls: [{ tool: 'todo_write', arguments: { todos } }] },
  'run it': { calls: [{ tool: 'bash', arguments: { command: 'touch ran.txt' } }] },
  'say much': { text: `${'word '.repeat(800)}\n\nThat is all.` },
});

test('every command that looks at a session or changes it', async () => {
  const root = repository({ 'a.txt': 'one\n' });
  const home = tempFolder({
    'config.json': JSON.stringify({
      maxVerificationNudges: 0,
      permission: { bash: { 'rm *': 'deny' } },
      mcpServers: { mine: { command: 'false' } },
      prices: { 'openai-compatible/test': { input: 1, output: 1 } },
      agents: { reader: { description: 'only reads', tools: ['read_file', 'grep'] } },
    }),
    'skills/shipping/SKILL.md': '---\nname: shipping\ndescription: how we ship\n---\nCarefully.',
    'commands/review.md':
      '---\ndescription: review a change\nargument-hint: WHAT\n---\nReview $1 of $ARGUMENTS.\n\n!`echo $1-$((20+2))`',
    'commands/help.md': 'Not the help.',
  });
  const { pane, requests } = await takeSeat({ root, home, replies, rows: 60, args: '--approve edits' });
  const { ask } = drive(pane);
  const read = () => readFileSync(join(root, 'a.txt'), 'utf8');
  const said = () => requests.at(-1)!.body.messages.at(-1).content;
  const started = await pane.until(idle);
  expect(started).toMatch(/help\.md is left out: there is a command \/help\s+already, and none is replaced\./);

  const help = await ask('/help', /keys[\s\S]*ctrl\+o/);
  for (const name of ['agent', 'diff', 'fork', 'init', 'model', 'quit', 'redo', 'review WHAT'])
    expect(help).toContain(`/${name}`);
  expect(await ask('/tools', 'offered this turn of')).toMatch(/bash +core/);
  expect(await ask('/skills', 'how we ship')).toContain('shipping');
  await ask('/mcp', 'mine no tools');
  await ask('/todos', 'There is no task list.');
  await ask('/memory', 'There are no notes.');
  await ask('/memory add the port is 8080', 'Noted');
  await ask('/memory', '- fact: the port is 8080');
  await ask('/memory forget the port', 'Forgotten: fact: the port is 8080');
  await ask('/history', 'Nothing was changed yet.');
  await ask('/undo', 'nothing');
  await ask('/compact', 'There is nothing yet that could be condensed.');
  expect(await ask('/permissions', 'Nothing is allowed beyond the rules.')).not.toContain('enter revokes');
  expect(await ask('/permissions rules', 'The last one that matches decides')).toContain('rm *');
  await ask('/mode plan', 'plan only');
  await ask('/mode edits', 'accept edits');
  await ask('/mode other', 'The mode is edits.');
  await ask('/nosuch', 'unknown command "/nosuch"');

  await ask('change it', 'Told: ');
  await pane.until(idle);
  expect(read()).toBe('two\n');
  expect(await ask('/diff', 'git diff')).toMatch(/- one\n.*\+ two/);
  await ask('/diff nowhere.txt', /nowhere\.txt/);
  await ask('/undo', /undid \S+[\s\S]*\+ one/);
  expect(read()).toBe('one\n');
  await ask('/history', '(undone)');
  await ask('/redo', /redid \S+[\s\S]*\+ two/);
  expect(read()).toBe('two\n');

  await ask('plan it', 'Told: ');
  await pane.until(idle);
  expect(await ask('/todos', '[>] second thing')).toContain('[x] first thing');
  expect(await ask('/cost', 'tokens read')).toMatch(/\d+ tokens read, \d+ written: \$0\.000\d/);
  expect(await ask('/context', 'conversation')).toMatch(/instructions[\s\S]*tools/);

  await ask('run it', 'y once');
  await pane.press('a');
  await pane.until('Allow bash without asking, for what matches:');
  await pane.press('Enter');
  await pane.until('for this session');
  await pane.press('Enter');
  await pane.until('Told: ');
  await pane.until(idle);
  expect(await ask('/permissions', 'enter revokes one')).toContain('touch');
  await pane.press('Enter');
  await pane.until('Revoked: bash touch');
  await ask('/permissions revoke 99', 'No one grant has the id "99".');

  await ask('say much', 'That is all.');
  await pane.until(idle);
  await ask('/compact', 'The conversation was condensed');
  await ask('/init', 'Here is an AGENTS.md.');
  await pane.until(idle);
  await ask("/review it's", 'y once');
  expect(await pane.screen()).toContain("echo 'it'\\''s'-$((20+2))");
  await pane.press('y');
  await pane.until('You said Review');
  expect(said()).toMatch(/^Review it's of it's\.\n\n[\s\S]*it's-22/);
  await pane.until(idle);
  await ask('/quit', /benchdog -r|Pane is dead/);
});

test('the commands that go on to another model, agent or session', async () => {
  const config = { agents: { reader: { description: 'only reads', tools: ['read_file'], prompt: 'Only read.' } } };
  const { pane, requests } = await takeSeat({ config, replies });
  const { ask, send } = drive(pane);
  await pane.until(idle);
  await ask('hello', 'You said hello.');
  await pane.until(idle);

  await ask('!echo from-$((40+2))', 'from-42');
  await pane.until(idle);
  await ask('what did I run', 'You said I ran');
  expect(requests.at(-1)!.text).toContain('from-42');
  await pane.until(idle);

  await ask('/model', 'Which model of openai-compatible?');
  await pane.press('1');
  await pane.until('From now on openai-compatible/other.');
  await ask('and you', 'You said and you.');
  expect(requests.at(-1)!.body.model).toBe('other');
  await pane.until(idle);
  await ask('/model openai-compatible/third', 'From now on openai-compatible/third.');
  await ask('/model nobody/x', /names no known model provider|From now on/);

  await ask('/agent', 'Go on as which agent?');
  await pane.press('Enter');
  await pane.until('session goes on');
  await pane.until(idle);
  await ask('read on', 'You said read on.');
  const { messages, tools } = requests.at(-1)!.body;
  expect(messages[0].content).toContain('Only read.');
  expect(tools.map(({ function: { name } }: { function: { name: string } }) => name)).toEqual(
    expect.arrayContaining(['read_file']),
  );
  expect(JSON.stringify(tools)).not.toContain('"edit_file"');
  await pane.until(idle);
  await ask('/agent nobody', 'unknown agent "nobody"');

  await ask('/fork', 'session goes on');
  await pane.until(idle);
  await ask('in the copy', 'You said in the copy.');
  expect(requests.at(-1)!.text).toContain('and you');
  await pane.until(idle);
  await ask('/clear', 'a new session');
  await pane.until(idle);
  const sessions = await ask('/sessions', 'Go on with which session?');
  expect(sessions.match(/ hello /g)).toHaveLength(2);
  await pane.press('Down', 'Enter');
  await pane.until('session goes on');
  await pane.until(idle);
  expect(await pane.screen()).not.toContain('in the copy');
  await ask('/resume nosuch', 'No session begins with "nosuch".');
  await ask('/resume', 'Go on with which session?');
  await pane.press('Escape');
  await pane.until(idle);
  await send('last words');
  await pane.until('You said last words.');
});
