import { expect, test } from 'vitest';
import { place, runHere } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

const here = (config?: string) => place(tempFolder({ 'a.txt': 'one\n' }), config);

const common = '--root, --dialect, --tools, --approve, --yolo, --config, --plan, --allow, --deny, --trust';
const commands = 'call, tools, mcp, policy, history, undo, redo, sessions, tour, login, doctor';

test.each([
  [['tools', '--jsn'], `unknown flag "--jsn". Did you mean "--json"? Valid: ${common}, --json, --help.`],
  [['mcp', '--htp=1'], `unknown flag "--htp". Did you mean "--http"? Valid: ${common}, --http, --help.`],
  [['undo', '--step'], `unknown flag "--step". Valid: ${common}, --json, --help.`],
  [['policy', 'wy'], 'unknown command "wy". Did you mean "why"? Valid: why, test, lint, log, grants, revoke.'],
  [['policy', 'why', '--jsn', 'x'], `unknown flag "--jsn". Did you mean "--json"? Valid: --json, ${common}, --help.`],
  [['sessions', 'lst'], 'unknown sessions action "lst". Did you mean "list"? Valid: list, show, fork, rm.'],
  [['sessions', 'show'], 'sessions show needs the id of a session, or its beginning.'],
  [['call'], "missing required argument 'tool'."],
  [['call', 'a', 'b', 'c'], "too many arguments for 'call'. Expected 2 arguments but got 3."],
  [['tools', '--root'], "option '--root <dir>' argument missing."],
  [['--root', '/no/such', 'tools'], '--root takes an existing folder, got "/no/such".'],
  [['-p', 'x', '--max-steps', '0'], '--max-steps takes a whole number from 1, got "0".'],
  [['-p', 'x', '--max-cost', 'much'], '--max-cost takes a number above 0, got "much".'],
  [['-p', 'x', '--max-time', '-1'], '--max-time takes a number above 0, got "-1".'],
])('%j is wrong usage', async (args, message) => {
  expect(await runHere(args)).toEqual({ exit: 2, stdout: '', stderr: `benchdog: ${message}\nSee benchdog --help.\n` });
});

test.each([['cal'], ['cal', 'read_file', '{}'], ['histroy'], ['seesions', 'list']])(
  '%s is a misspelt command: the commands are listed',
  async (...args) => {
    const { exit, stderr } = await runHere(args);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^benchdog: unknown command "\w+"\. Did you mean "(call|history|sessions)"\? Valid: call, /);
    expect(stderr).toContain(commands.split(', ')[0]);
  },
);

test.each([
  [
    ['tools', '--dialect', 'shrio'],
    'unknown dialect "shrio". Did you mean "shiro"? Valid: native, udiff, shiro, rousseau.',
  ],
  [
    ['tools', '--tools', 'edit-pls'],
    'unknown tool set "edit-pls". Did you mean "edit-plus"? Valid: core, edit-plus, git.',
  ],
  [['tools', '--approve', 'al'], 'unknown approval mode "al". Did you mean "all"? Valid: ask, edits, all, none.'],
  [['tools', '--allow', ':x'], `--allow takes TOOL:PATTERN, e.g. --allow 'bash:git log *'; got ":x".`],
])('%j names what is valid and what was probably meant', async (args, message) => {
  const { exit, stdout, stderr } = await here().run(args);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('an unknown tool lists the tools', async () => {
  const { exit, stderr } = await here().run(['call', 'raed_file', '{}', '--dialect', 'rousseau']);
  expect(exit).toBe(2);
  expect(stderr).toBe(
    'benchdog: there is no tool "raed_file" in the rousseau dialect. Tools: read, write, edit, grep, bash.\nSee benchdog --help.\n',
  );
  expect((await here().run(['call', 'raed_file', '{}'])).stderr).toContain('Did you mean "read_file"?');
});

test('an unknown key of the configuration lists the keys', async () => {
  const { exit, stderr } = await here('{\n"dialct": "shiro"\n}').run(['tools']);
  expect(exit).toBe(2);
  expect(stderr).toMatch(
    /config\.json:2: unknown key "dialct"\. Did you mean "dialect"\? Valid keys: .*model, .*dialect/,
  );
});

test('-p without a prompt is wrong usage', async () => {
  const { exit, stderr } = await runHere(['-p'], { stdin: ' \n' });
  expect([exit, stderr]).toEqual([
    2,
    'benchdog: there is no prompt: give one after -p, or on stdin.\nSee benchdog --help.\n',
  ]);
});

const everyCommand = [
  [],
  ...commands.split(', ').map((name) => [name]),
  ...['why', 'test', 'lint', 'log'].map((name) => ['policy', name]),
];
test.each(everyCommand)('benchdog %s %s --help says how it is used', async (...args) => {
  const { exit, stdout, stderr } = await runHere([...args.filter((one) => one !== undefined), '--help']);
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^Usage: ${['benchdog', ...args].join(' ')}`));
  if (!['tour', 'login'].includes(args[0] ?? '')) expect(stdout).toContain('--root <dir>');
});

test('--version prints the version of the package', async () => {
  const { default: packageJson } = await import('../../package.json', { with: { type: 'json' } });
  expect(await runHere(['--version'])).toEqual({ exit: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});
