import { expect, test } from 'vitest';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

interface Listed {
  readonly dialect: string;
  readonly tools: readonly { readonly name: string; readonly set: string | null; readonly bytes: number }[];
  readonly bytes: Readonly<Record<string, number>>;
}

async function listed(...flags: string[]): Promise<Listed> {
  const { exit, stdout, stderr } = await place(tempFolder()).run(['tools', '--json', ...flags]);
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}
const names = ({ tools }: Listed) => tools.map(({ name }) => name);

test('each tool with its set, effect, bytes, description and schema', async () => {
  const { tools } = await listed('--dialect', 'shiro');
  expect(tools[0]).toEqual({
    name: 'read_file',
    set: 'core',
    effect: 'reads',
    bytes: expect.any(Number),
    description: expect.any(String),
    schema: expect.objectContaining({ type: 'object', required: ['path'] }),
  });
});

test('the table ends with the bytes of every request', async () => {
  const { stdout } = await place(tempFolder()).run(['tools', '--dialect', 'shiro']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('tool                set         effect     bytes');
  expect(lines.at(-1)).toMatch(/^\d+ tools, \d+ bytes on every request \(core \d+, edit-plus \d+, git \d+/);
});

test('--tools chooses sets beyond core; "" is core alone', async () => {
  const core = names(await listed('--dialect', 'shiro', '--tools', ''));
  expect(core.slice(0, 6)).toEqual(['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'bash']);
  expect(core).not.toContain('git_log');
  const git = names(await listed('--dialect', 'shiro', '--tools', 'git'));
  expect(git).toContain('git_log');
  expect(git).not.toContain('multi_edit');
  expect(names(await listed('--dialect', 'shiro', '--tools', 'git,edit-plus'))).toContain('multi_edit');
});

const classic: Record<string, readonly string[]> = {
  udiff: ['read_file', 'list_files', 'search_code', 'git_diff', 'write_file', 'edit_file', 'delete_file'],
  rousseau: ['read', 'write', 'edit', 'grep', 'bash'],
};
test.each(Object.keys(classic))('%s offers the tools of its document', async (dialect) => {
  expect(names(await listed('--dialect', dialect))).toEqual(classic[dialect]);
});

test('native offers every tool of shiro and its own', async () => {
  const native = names(await listed());
  for (const name of names(await listed('--dialect', 'shiro'))) expect(native).toContain(name);
  for (const name of ['apply_patch', 'delete_file', 'move_file', 'undo', 'bash_output', 'bash_kill'])
    expect(native).toContain(name);
});

test('a set costs no more than its ceiling on every request', async () => {
  const { tools } = await listed('--dialect', 'shiro');
  const sum = (set: string) => tools.filter((tool) => tool.set === set).reduce((bytes, tool) => bytes + tool.bytes, 0);
  const [core, editPlus, git] = [sum('core'), sum('edit-plus'), sum('git')];
  expect(core).toBeLessThanOrEqual(2990);
  expect(editPlus).toBeLessThanOrEqual(2500);
  expect(git).toBeLessThanOrEqual(2180);
  expect(core + editPlus + git).toBeLessThanOrEqual(7670);
});

test('native costs no more than its ceiling, sets and session tools told apart', async () => {
  const { bytes, tools } = await listed();
  const sets = ['core', 'edit-plus', 'git'].reduce((sum, set) => sum + bytes[set]!, 0);
  expect(sets).toBeLessThanOrEqual(8600);
  expect(bytes.total).toBe(tools.reduce((sum, tool) => sum + tool.bytes, 0));
});

test('bytes are those of name, description and schema as sent to a provider', async () => {
  const { stdout } = await place(tempFolder()).run(['tools', '--json', '--dialect', 'rousseau']);
  for (const { name, description, schema, bytes } of JSON.parse(stdout).tools) {
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify({ name, description, parameters: schema })));
  }
});
