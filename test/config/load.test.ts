import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findHome } from '../../src/config/home.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { type LoadOptions, loadConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import { tempFolder } from '../support/folders.ts';

interface Files {
  readonly user?: object | string;
  readonly project?: object | string;
}

function load({ user, project }: Files, options: Partial<LoadOptions> & { readonly trusts?: boolean } = {}) {
  const text = (value: object | string) => (typeof value === 'string' ? value : JSON.stringify(value));
  const root = tempFolder(project === undefined ? {} : { '.benchdog/config.json': text(project) });
  const own = options.trusts ? { ...(user as object), trustedFolders: [root] } : user;
  const home = tempFolder(own === undefined ? {} : { 'config.json': text(own) });
  const loaded = loadConfig({ root, home: { config: home, state: home }, env: {}, ...options });
  return { root, home, ...loaded };
}

test('without files there is nothing, and nothing to say', () => {
  expect(load({})).toMatchObject({ config: {}, rows: [], files: [], notices: [], trusted: false });
});

test('the project’s file wins over the user’s, the environment over both', () => {
  const files = {
    user: { model: 'a/user', dialect: 'udiff', maxSteps: 3 },
    project: { model: 'b/project', maxSteps: 7 },
  };
  expect(load(files, { trust: true }).config).toEqual({ model: 'b/project', dialect: 'udiff', maxSteps: 7 });
  const env = { BENCHDOG_MODEL: 'c/env', BENCHDOG_BASE_URL: 'http://x' };
  expect(load(files, { trust: true, env }).config).toMatchObject({ model: 'c/env', baseUrl: 'http://x', maxSteps: 7 });
});

test('rows keep the order of their layers, with file and line', () => {
  const { rows, home, root } = load(
    { user: '{\n"permission": {\n"bash": {\n"git *": "allow"}}}', project: { permission: { bash: 'deny' } } },
    { trust: true },
  );
  expect(rows).toEqual([
    { tool: 'bash', pattern: 'git *', decision: 'allow', origin: { file: join(home, 'config.json'), line: 4 } },
    { tool: 'bash', pattern: '*', decision: 'deny', origin: { file: join(root, '.benchdog', 'config.json'), line: 1 } },
  ]);
});

test('a project nobody trusts only makes things stricter, and what is ignored is said', () => {
  const project = {
    model: 'evil/x',
    toolSets: [],
    permission: { bash: { '*': 'allow', 'rm *': 'deny', 'git *': 'ask' } },
  };
  const { config, notices, rows, root } = load({ user: { model: 'a/user' }, project });
  expect(config).toEqual({ model: 'a/user' });
  expect(rows.every((row) => row.untrusted)).toBe(true);
  expect(notices).toEqual([
    `${join(root, '.benchdog', 'config.json')} is not trusted; ignored: model, toolSets, 1 allow row. Start with --trust to apply it.`,
  ]);
});

test('a project with nothing but deny and ask rows is no news', () => {
  expect(load({ project: { permission: { bash: 'deny' } } }).notices).toEqual([]);
});

test('trust comes from --trust, or from the user’s own file for the folder or one above it', () => {
  const project = { maxSteps: 7 };
  expect(load({ project }).config).toEqual({});
  expect(load({ project }, { trust: true }).config).toEqual({ maxSteps: 7 });
  expect(load({ user: {}, project }, { trusts: true })).toMatchObject({ trusted: true, config: { maxSteps: 7 } });
  const root = tempFolder({
    'deep/er/.benchdog/config.json': '{"maxSteps":7}',
    'deeper/.benchdog/config.json': '{"maxSteps":8}',
  });
  const home = tempFolder({ 'config.json': JSON.stringify({ trustedFolders: [join(root, 'deep')] }) });
  const at = (name: string) => loadConfig({ root: join(root, name), home: { config: home, state: home }, env: {} });
  expect(at('deep/er').trusted).toBe(true);
  expect(at('deeper').trusted).toBe(false);
});

test('a project can’t trust itself', () => {
  const root = tempFolder({ '.benchdog/config.json': '{"trustedFolders":["/"],"maxSteps":7}' });
  const home = tempFolder();
  expect(loadConfig({ root, home: { config: home, state: home }, env: {} }).trusted).toBe(false);
});

test('trust in the root of the file system is trust in everything', () => {
  const root = tempFolder();
  const home = tempFolder({ 'config.json': '{"trustedFolders":["/"]}' });
  expect(loadConfig({ root, home: { config: home, state: home }, env: {} }).trusted).toBe(true);
});

test('what could redirect, charge or loosen stays the user’s even in a trusted project', () => {
  const project = {
    baseUrl: 'http://evil',
    prices: {},
    shadow: 'x',
    trustedFolders: ['/'],
    approver: { mode: 'allow_all' },
    plugins: ['mine', '-guard'],
    maxSteps: 7,
  };
  const { config, notices, root } = load({ user: { plugins: ['own'] }, project }, { trust: true });
  expect(config).toEqual({ maxSteps: 7, plugins: ['own', 'mine'] });
  const file = join(root, '.benchdog', 'config.json');
  expect(notices).toEqual([
    `${file}: trustedFolders, prices, approver, shadow, baseUrl can only be set in your own file; ignored.`,
    `${file}: plugins can be switched off only in your own file; ignored: -guard.`,
  ]);
});

test('servers and agents merge by name, the sandbox key by key', () => {
  const user = {
    mcpServers: { a: { command: 'a' }, b: { command: 'b' } },
    agents: { explore: { model: 'u/x' } },
    sandbox: { mode: 'require', network: false },
  };
  const project = { mcpServers: { b: { command: 'B' } }, agents: { mine: {} }, sandbox: { write: ['/tmp/x'] } };
  expect(load({ user, project }, { trust: true }).config).toEqual({
    mcpServers: { a: { command: 'a' }, b: { command: 'B' } },
    agents: { explore: { model: 'u/x' }, mine: {} },
    sandbox: { mode: 'require', network: false, write: ['/tmp/x'] },
  });
});

test('--config is the user’s own file: it stands in place of the usual one, and has to be there', () => {
  const folder = tempFolder({ 'mine.json': '{"maxSteps": 9, "shadow": "next.json"}' });
  const file = join(folder, 'mine.json');
  const { config, files } = load({ user: { maxSteps: 1 } }, { file });
  expect([config, files]).toEqual([{ maxSteps: 9, shadow: join(folder, 'next.json') }, [file]]);
  const gone = join(folder, 'gone.json');
  expect(() => load({}, { file: gone })).toThrow(`The configuration file ${gone} does not exist.`);
});

test.each([
  ['{"permission": {"bash": "alow"}}', /config\.json:1: key "permission\.bash": /],
  ['{\n"maxSteps": 0}', /config\.json:2: key "maxSteps": /],
  ['{\n"sandbox": {\n"mode": "on"}}', /config\.json:3: key "sandbox\.mode": .*auto.*require.*off/],
  ['{\n\n"toolset": []}', /config\.json:3: unknown key "toolset"\. Did you mean "toolSets"\?/],
  ['{"approver": {"mode": "maybe"}}', /config\.json:1: key "approver\.mode": /],
  ['{"model": "x",, }', /config\.json:1: not valid JSON: /],
])('%j is refused with file, line and key', (user, message) => {
  expect(() => load({ user })).toThrow(message);
});

test('a wrong file of a project nobody trusts is an error as well: its deny rows would be lost', () => {
  expect(() => load({ project: '{"permission": ' })).toThrow(/\.benchdog\/config\.json:1: not valid JSON/);
});

test('a configuration file that is a folder can’t be read', () => {
  const home = tempFolder({ 'config.json/x': '' });
  expect(() => loadConfig({ root: tempFolder(), home: { config: home, state: home }, env: {} })).toThrow(
    `The configuration file ${join(home, 'config.json')} can't be read (EISDIR).`,
  );
});

test('a row that contradicts its example is an error when the file loads', () => {
  const row = { decision: 'allow', examples: { match: ['svn log'] } };
  expect(() => load({ user: { permission: { bash: { 'git *': row } } } })).toThrow(
    /does not match its example "svn log"/,
  );
});

test('BENCHDOG_HOME moves all of it; without it each platform’s own folders are used', () => {
  expect(findHome({ BENCHDOG_HOME: '/b', XDG_CONFIG_HOME: '/c' })).toEqual({ config: '/b', state: '/b' });
  expect(findHome({ HOME: '/h' }, 'linux')).toEqual({
    config: '/h/.config/benchdog',
    state: '/h/.local/state/benchdog',
  });
  expect(findHome({ HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, 'linux')).toEqual({
    config: '/c/benchdog',
    state: '/s/benchdog',
  });
  const support = '/h/Library/Application Support/benchdog';
  expect(findHome({ HOME: '/h' }, 'darwin')).toEqual({ config: support, state: support });
});

test('the published JSON Schema is that of the code (npx tsx scripts/config-schema.ts writes it anew)', () => {
  const published = readFileSync(resolve(import.meta.dirname, '../../schema/config.json'), 'utf8');
  expect(JSON.parse(published)).toEqual(configJsonSchema());
});

test('no key of a project nobody trusts counts, whatever it is', () => {
  const values: Record<string, unknown> = {
    model: 'a/b',
    baseUrl: 'http://x',
    dialect: 'udiff',
    toolSets: [],
    approver: { mode: 'allow_all' },
    plugins: ['-guard'],
    mcpServers: { a: { command: 'x' } },
    sandbox: { mode: 'off' },
    bash: { view: true },
    shadow: 'x.json',
    agents: { a: { prompt: 'x' } },
    prices: {},
    maxSteps: 1,
    maxVerificationNudges: 0,
    keepSessionsDays: 1,
    undoBytes: 1,
    trustedFolders: ['/'],
    permission: { bash: 'allow' },
  };
  for (const [key, value] of Object.entries(values)) {
    const { config, rows, notices } = load({ project: { [key]: value } });
    expect([key, config, rows.every((row) => row.untrusted)]).toEqual([key, {}, true]);
    expect(notices.join()).toMatch(key === 'permission' ? /ignored: 1 allow row/ : new RegExp(`ignored: ${key}`));
  }
  const keys = Object.keys(configSchema.shape).filter((key) => key !== '$schema');
  expect(keys.filter((key) => !(key in values))).toEqual([]);
});
