import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

const write = (path: string) => ['call', 'write_file', JSON.stringify({ path, content: 'x\n' })];
const bash = (command: string) => ['call', 'bash', JSON.stringify({ command })];

test('an untrusted project’s allow is ignored with a notice, its deny binds', async () => {
  const root = tempFolder({
    '.benchdog/config.json': '{"permission":{"write_file":{"*":"allow","locked.txt":"deny"}}}',
  });
  const at = place(root);
  const { exit, stderr } = await at.run(write('n.txt'));
  expect(exit).toBe(3);
  expect(stderr).toContain('is not trusted; ignored: 1 allow row. Start with --trust to apply it.');
  expect((await at.run([...write('locked.txt'), '--yolo'])).exit).toBe(3);
  expect((await at.run([...write('n.txt'), '--trust'])).exit).toBe(0);
  expect(existsSync(join(root, 'locked.txt'))).toBe(false);
});

test('dialect and toolSets come from the file, flags win', async () => {
  const at = place(tempFolder(), '{"dialect": "shiro", "toolSets": ["git"]}');
  const names = async (...flags: string[]) => {
    const { stdout } = await at.run(['tools', '--json', ...flags]);
    return (JSON.parse(stdout).tools as { name: string }[]).map(({ name }) => name);
  };
  const fromFile = await names();
  expect(fromFile).toContain('git_log');
  expect(fromFile).not.toContain('multi_edit');
  expect(await names('--tools', 'edit-plus')).toContain('multi_edit');
  expect(await names('--dialect', 'udiff')).toContain('search_code');
});

test('an unknown dialect or tool set in the file is a wrong configuration', async () => {
  for (const [config, message] of [
    ['{"dialect": "shrio"}', 'unknown dialect "shrio". Did you mean "shiro"?'],
    ['{"toolSets": ["gti"]}', 'unknown tool set "gti". Did you mean "git"?'],
    ['{"plugins": ["gaurd"]}', 'unknown plugin "gaurd". Did you mean "guard"?'],
  ] as const) {
    const { exit, stderr } = await place(tempFolder(), config).run(['tools']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('"-guard" in the user’s file switches the guard off', async () => {
  const line = ['policy', 'why', 'bash', '{"command":"rm -rf /"}', '--json', '--yolo'];
  const decide = async (config?: string) => {
    const { stdout } = await place(tempFolder(), config).run(line);
    const { decision, by } = JSON.parse(stdout);
    return [decision, by];
  };
  const [decision, by] = await decide();
  expect(decision).not.toBe('allow');
  expect(by).toMatch(/^guard/);
  expect((await decide('{"plugins": ["-guard"]}'))[1]).not.toMatch(/^guard/);
});

test('the approver of rousseau: deny rows, then allow rows, then the default', async () => {
  const approver = {
    mode: 'pattern',
    default: 'deny',
    reason: 'not on the list',
    allow: [{ tool: 'bash', match: '^echo ' }],
    deny: [{ tool: 'bash', match: 'secret' }],
  };
  const at = place(tempFolder(), JSON.stringify({ dialect: 'rousseau', approver }));
  expect((await at.run(bash('echo fine'))).exit).toBe(0);
  expect((await at.run(bash('echo secret'))).exit).toBe(3);
  const other = await at.run(bash('touch x'));
  expect(other.exit).toBe(3);
  expect(other.stderr).toContain('not on the list');
});

test('a shadow decides nothing; where it would have decided otherwise is logged', async () => {
  const at = place(tempFolder({ 'a.txt': 'one\n' }), '{"shadow": "shadow.json"}');
  writeFileSync(join(at.home, 'shadow.json'), '{"permission": {"read_file": {"a.txt": "deny"}}}');
  expect((await at.run(['call', 'read_file', '{"path":"a.txt"}'])).exit).toBe(0);
  expect((await at.run(['call', 'list_dir'])).exit).toBe(0);
  const [file] = readdirSync(join(at.home, 'shadow')).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(join(at.home, 'shadow', file!), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      at: expect.any(String),
      session: expect.stringMatching(/^call-/),
      tool: 'read_file',
      subject: 'a.txt',
      decision: 'allow',
      by: expect.any(String),
      shadow: 'deny',
      shadowBy: expect.stringContaining('shadow.json:1'),
    },
  ]);
});

test('a shadow looks at what subagents do as well, under the id that their calls have', async () => {
  const at = place(tempFolder({ 'a.txt': 'one\n' }));
  const script = (name: string, replies: unknown[]) => {
    writeFileSync(join(at.home, name), JSON.stringify(replies));
    return `scripted:${join(at.home, name)}`;
  };
  const main = script('main.json', [
    { calls: [{ tool: 'task', arguments: { description: 'look', prompt: 'read a.txt' } }] },
    { text: 'done' },
  ]);
  const explore = script('explore.json', [
    { calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] },
    { text: 'it says one' },
  ]);
  writeFileSync(join(at.home, 'shadow.json'), '{"permission": {"read_file": {"a.txt": "deny"}}}');
  writeFileSync(
    join(at.home, 'config.json'),
    JSON.stringify({ shadow: 'shadow.json', model: main, agents: { explore: { model: explore } } }),
  );
  expect(await at.run(['-p', 'go'])).toMatchObject({ exit: 0, stdout: 'done\n' });
  const [file] = readdirSync(join(at.home, 'shadow')).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(join(at.home, 'shadow', file!), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { tool: 'read_file', subject: 'a.txt', decision: 'allow', shadow: 'deny' },
  ]);
});

test('a shadow that is not there, or wrong, is a wrong configuration', async () => {
  const at = place(tempFolder(), '{"shadow": "gone.json"}');
  expect(await at.run(['tools'])).toEqual({
    exit: 2,
    stdout: '',
    stderr: `benchdog: The configuration file ${join(at.home, 'gone.json')} does not exist.\n`,
  });
});

test('--max-cost needs a price; "prices" gives one', async () => {
  const config = (prices: object) => JSON.stringify({ prices });
  const line = ['-p', 'x', '--model', 'anthropic/some', '--max-cost', '1'];
  const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const without = await place(tempFolder(), config({})).run(line, { env });
  expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('needs a price for anthropic/some')]);
});
