import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkNode, checkSandbox } from '../../src/cli/doctor/machine.ts';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly text: string;
}

async function examined(config?: string, files: Record<string, string> = {}, flags: string[] = [], env = {}) {
  const at = place(tempFolder(files), config);
  const { exit, stdout, stderr } = await at.run(['doctor', '--json', ...flags], { env });
  expect(stderr).toBe('');
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
  return { at, exit, ok, checks, of: (name: string) => checks.filter((check) => check.name === name) };
}

test('everything that matters is looked at, and a healthy place is well', async () => {
  const { exit, ok, checks, at } = await examined();
  const names = [
    'node',
    'git',
    'search',
    'sandbox',
    'views',
    'configuration',
    'trust',
    'model',
    'state',
    'journal',
    'settings',
  ];
  expect(checks.map(({ name }) => name)).toEqual(names);
  expect([exit, ok]).toEqual([0, true]);
  const { stdout } = await at.run(['doctor']);
  expect(stdout).toMatch(/^(ok|note) +node +v\d+/);
  expect(stdout).toContain('settings        nothing unsafe found\n');
});

test('Node 20 is noted, what is older is not enough', () => {
  expect(checkNode('v22.3.0')).toEqual({ name: 'node', state: 'ok', text: 'v22.3.0' });
  expect(checkNode('v20.19.1')).toMatchObject({ state: 'note', text: expect.stringContaining('no security fixes') });
  expect(checkNode('v20.18.0')).toMatchObject({ state: 'bad' });
  expect(checkNode('v18.20.0')).toMatchObject({ state: 'bad', text: 'v18.20.0; 20.19 is needed' });
});

test('a sandbox that is off is a warning', async () => {
  expect(await checkSandbox('/', 'off')).toMatchObject({ state: 'warn' });
  expect((await examined('{"sandbox": {"mode": "off"}}')).of('sandbox')).toEqual([
    { name: 'sandbox', state: 'warn', text: 'switched off: commands reach whatever you can reach' },
  ]);
});

test('a wrong configuration is told, and the rest is still looked at', async () => {
  const { exit, ok, of } = await examined('{"modle": 1}');
  expect([exit, ok]).toEqual([1, false]);
  expect(of('configuration')).toMatchObject([{ state: 'bad', text: expect.stringContaining('unknown key "modle"') }]);
  expect(of('journal')).toMatchObject([{ state: 'ok' }]);
});

test('a key is told of and never shown', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-very-secret' };
  const { of, checks } = await examined('{"model": "anthropic/some"}', {}, [], env);
  expect(of('model')).toEqual([
    { name: 'model', state: 'ok', text: 'anthropic/some at https://api.anthropic.com/v1, key present' },
  ]);
  expect(JSON.stringify(checks)).not.toContain('very-secret');
  expect((await examined('{"model": "anthropic/some"}')).of('model')).toMatchObject([
    { state: 'bad', text: expect.stringContaining('No key for anthropic') },
  ]);
});

test('an untrusted project is noted with what of it is ignored', async () => {
  const files = { '.benchdog/config.json': '{"model": "x/y"}' };
  expect((await examined(undefined, files)).of('trust')).toMatchObject([
    { state: 'note', text: expect.stringContaining('ignored: model') },
  ]);
  expect((await examined(undefined, files, ['--trust'])).of('trust')).toMatchObject([{ state: 'ok' }]);
});

test('unsafe settings are warnings: guards off, rows that allow everything', async () => {
  const { exit, of } = await examined('{"plugins": ["-guard"], "permission": {"bash": "allow"}}');
  expect(exit).toBe(0);
  expect(of('plugins')).toEqual([{ name: 'plugins', state: 'warn', text: 'guard is switched off' }]);
  expect(of('rules')).toMatchObject([{ state: 'warn', text: expect.stringContaining('allows every command') }]);
});

test.skipIf(process.platform === 'win32')('a state folder that others may enter is a warning', async () => {
  const at = place(tempFolder());
  chmodSync(at.home, 0o755);
  const { stdout } = await at.run(['doctor']);
  expect(stdout).toContain(`warn  state           ${at.home} is open to others: chmod 700 it\n`);
});

test('journal entries are counted', async () => {
  const at = place(tempFolder());
  await at.run(['call', 'write_file', '{"path":"a","content":"x"}', '--yolo']);
  expect((await at.run(['doctor'])).stdout).toContain('1 change of this workspace');
});
