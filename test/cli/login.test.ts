import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readKeys, storeKey } from '../../src/config/keys.ts';
import { placeOf } from '../../src/model/providers.ts';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

/** An endpoint that takes one key. */
async function endpoint(key: string): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const given = request.headers.authorization ?? '';
    seen.push(given);
    response.statusCode = given !== `Bearer ${key}` ? 401 : request.method === 'POST' ? 400 : 200;
    response.end(JSON.stringify(response.statusCode === 200 ? { data: [{ id: 'b' }, { id: 'a' }] } : { error: 'no' }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const login = (url: string, provider = 'openai-compatible') => ['--provider', provider, '--base-url', url];
const here = () => {
  const at = place(tempFolder());
  return { ...at, login: (args: string[], stdin: string) => runLogin(at.home, args, stdin) };
};
async function runLogin(home: string, args: string[], stdin: string) {
  const { runHere } = await import('../support/command-line.ts');
  return runHere(['login', ...args], { stdin, env: { ...process.env, BENCHDOG_HOME: home } });
}

test('the key comes from stdin, is tried, and is stored for its endpoint alone, owner-only', async () => {
  const { url } = await endpoint('sk-good');
  const at = here();
  expect(await at.login(login(url), 'sk-good\n')).toEqual({
    exit: 0,
    stdout:
      `Key for ${url} stored in ${join(at.home, 'keys.json')}.\n` +
      'Its models:\n   1  openai-compatible/a\n   2  openai-compatible/b\n' +
      'No model is chosen yet: give one with --model, here or in each run.\n',
    stderr: '',
  });
  const file = join(at.home, 'keys.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [url]: 'sk-good' });
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the chosen model stands in the configuration, and the next run just works', async () => {
  const { url, seen } = await endpoint('sk-good');
  const at = here();
  const config = join(at.home, 'config.json');
  writeFileSync(config, '{\n  // mine\n  "dialect": "shiro", "baseUrl": "http://old/v1"\n}\n');
  const { exit, stdout } = await at.login([...login(url), '--model', 'b'], 'sk-good');
  expect([exit, stdout.split('\n').at(-2)]).toEqual([
    0,
    `openai-compatible/b is the model from now on; that stands in ${config}.`,
  ]);
  expect(readFileSync(config, 'utf8')).toContain('// mine');
  const { runHere } = await import('../support/command-line.ts');
  const run = await runHere(['-p', 'hi', '--root', at.root], { env: { ...process.env, BENCHDOG_HOME: at.home } });
  // The endpoint of this test rejects every question; what matters is that it was asked, with the key.
  expect([run.exit, seen]).toEqual([1, ['Bearer sk-good', 'Bearer sk-good']]);
  await at.login(['--provider', 'ollama', '--base-url', url, '--model', 'ollama/a'], 'sk-good');
  expect(readFileSync(config, 'utf8')).toContain('"model": "ollama/a"');
});

test('the address of another provider does not stay, and a misspelt model is refused', async () => {
  const { url } = await endpoint('sk-good');
  const at = here();
  const config = join(at.home, 'config.json');
  writeFileSync(config, '{ "baseUrl": "http://old/v1" }');
  expect((await at.login(['--provider', 'anthropic', '--model', 'm'], 'sk-x')).exit).toBe(0);
  expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ model: 'anthropic/m' });
  const wrong = await at.login([...login(url), '--model', 'c'], 'sk-good');
  expect([wrong.exit, wrong.stderr]).toEqual([
    2,
    expect.stringContaining(`unknown model "c". Did you mean "a"? Valid: a, b.`),
  ]);
});

test('a key that is refused is not stored', async () => {
  const { url } = await endpoint('sk-good');
  const at = here();
  const { exit, stdout, stderr } = await at.login(login(url), 'sk-bad');
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Nothing was stored.');
  expect(stderr).not.toContain('sk-bad');
  expect(readKeys({ config: at.home, state: at.home })).toEqual({});
});

test('a key that can’t be tried now is stored all the same', async () => {
  const at = here();
  const { exit, stdout } = await at.login(login('http://127.0.0.1:9/v1'), 'sk-later');
  expect(exit).toBe(0);
  expect(stdout).toContain('Its models could not be listed: ');
  expect(readKeys({ config: at.home, state: at.home })).toEqual({ 'http://127.0.0.1:9/v1': 'sk-later' });
});

test('without a terminal the provider has to be named', async () => {
  const at = here();
  expect(await at.login([], 'sk')).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'benchdog: without a terminal login needs --provider NAME, and the key on stdin.\nSee benchdog --help.\n',
  });
  const { exit, stderr } = await at.login(['--provider', 'antropic'], 'sk');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('Did you mean "anthropic"?')]);
  expect((await at.login(['--provider', 'anthropic'], '')).exit).toBe(2);
  expect((await at.login(['--provider', 'anthropic'], 'two words')).exit).toBe(2);
});

test('a stored key is used where the environment has none, for its own endpoint only', async () => {
  const home = tempFolder();
  const places = { config: home, state: home };
  await storeKey(places, 'https://api.anthropic.com/v1', 'stored');
  await storeKey(places, 'https://other/v1', 'other');
  const storedKeys = readKeys(places);
  const keyOf = (env: NodeJS.ProcessEnv, baseUrl?: string) =>
    placeOf({ id: 'anthropic/x', env, storedKeys, ...(baseUrl === undefined ? {} : { baseUrl }) }).apiKey;
  expect(keyOf({})).toBe('stored');
  expect(keyOf({ ANTHROPIC_API_KEY: 'env' })).toBe('env');
  expect(keyOf({ BENCHDOG_API_KEY: 'ours' })).toBe('ours');
  expect(() => keyOf({}, 'https://evil.example')).toThrow('No key for anthropic');
});

test('a keys file that is no JSON counts as none', async () => {
  const home = tempFolder({ 'keys.json': '{"a' });
  expect(readKeys({ config: home, state: home })).toEqual({});
});
