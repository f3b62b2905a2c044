import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToolState } from '../../src/tool/state.ts';
import { globTool } from '../../src/tools/glob.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const glob = globTool({ ignoreFiles: ['.shiroignore', '.benchdogignore'] });
const run = (root: string, args: object, visible?: (path: { rel: string }) => boolean) =>
  callTool(glob, args, { root, ...(visible && { visible }) });
const text = async (root: string, args: object) => (await run(root, args)).text;

test('posix paths relative to the root, in path order', async () => {
  const root = tempFolder({ 'src/b.ts': '', 'src/a/x.ts': '', 'src/a.ts': '', 'x.js': '', 'src/.dot.ts': '' });
  expect(await text(root, { pattern: 'src/**/*.ts' })).toBe('src/.dot.ts\nsrc/a.ts\nsrc/a/x.ts\nsrc/b.ts');
  expect(await text(root, { pattern: `${root}/src/*.ts` })).toBe('src/.dot.ts\nsrc/a.ts\nsrc/b.ts');
});

test('ignored files are left out unless asked for; .git and node_modules always', async () => {
  const root = tempFolder({
    '.gitignore': '*.log\n/dist/\n',
    '.shiroignore': 'secret-plans\n',
    'a/.gitignore': 'only-here.txt\n',
    'a/only-here.txt': '',
    'only-here.txt': '',
    'x.log': '',
    'dist/o.js': '',
    'secret-plans/p.txt': '',
    'node_modules/m/i.js': '',
    '.git/HEAD': '',
  });
  expect(await text(root, { pattern: '**/*' })).toBe('.gitignore\n.shiroignore\na/.gitignore\nonly-here.txt');
  expect(await text(root, { pattern: '**/*', includeIgnored: true })).toBe(
    '.gitignore\n.shiroignore\na/.gitignore\na/only-here.txt\ndist/o.js\nonly-here.txt\nsecret-plans/p.txt\nx.log',
  );
  expect(await text(root, { pattern: 'node_modules/**', includeIgnored: true })).toBe(
    'No files match node_modules/**\n[.git and node_modules are never listed]',
  );
});

test('nothing found says why, where that is known', async () => {
  const root = tempFolder({ '.gitignore': 'dist', 'dist/o.js': '', 'src/a.ts': '' });
  expect(await text(root, { pattern: 'dist/*' })).toBe(
    'No files match dist/*\n[that folder is ignored; set includeIgnored to list it]',
  );
  expect(await text(root, { pattern: 'dist/*', includeIgnored: true })).toBe('dist/o.js');
  expect(await text(root, { pattern: '*.ts' })).toBe(
    'No files match *.ts\n[without a slash it matches names in the root alone; **/*.ts looks everywhere]',
  );
  expect(await text(root, { pattern: '**/*.rs' })).toBe('No files match **/*.rs');
  expect(await text(root, { pattern: 'none/*' })).toBe('No files match none/*');
});

test('a negated rule does not reach below an excluded folder', async () => {
  const root = tempFolder({ '.gitignore': 'gen/\n!gen/out/*\n', 'gen/out/f.txt': 'x', 'top.txt': 'x' });
  execFileSync('git', ['init', '-q', '.'], { cwd: root });
  expect(await text(root, { pattern: '**/*.txt' })).toBe('top.txt');
});

test('blanks and CRLF at the end of rules', async () => {
  const root = tempFolder({
    '.gitignore': Buffer.from('ZGlzdC8gICANCnRtcFwgDQojbm90ZQ0KKi5iYWsNCg==', 'base64'),
    'dist/o.js': 'x',
    'a.bak': 'x',
    'tmp/keep.js': 'x',
  });
  execFileSync('git', ['init', '-q', '.'], { cwd: root });
  expect(await text(root, { pattern: '**/*' })).toBe('.gitignore\ntmp/keep.js');
});

test('folders with brackets in their names, dot folders, braces', async () => {
  const root = tempFolder({
    'src/app/[id]/page.tsx': '',
    'src/app/(shop)/[...slug]/page.tsx': '',
    'src/app/i/page.tsx': '',
    '.github/workflows/ci.yml': '',
    '.github/workflows/rel.yaml': '',
  });
  expect(await text(root, { pattern: 'src/app/[id]/*.tsx' })).toBe('src/app/[id]/page.tsx\nsrc/app/i/page.tsx');
  expect(await text(root, { pattern: '.github/workflows/*.{yml,yaml}' })).toBe(
    '.github/workflows/ci.yml\n.github/workflows/rel.yaml',
  );
});

test('links: to files listed, to folders neither listed nor followed, loops end', async () => {
  const outside = tempFolder({ 's.txt': '' });
  const root = tempFolder({ 'sub/a.txt': 'x' });
  symlinkSync('.', join(root, 'sub/self'));
  symlinkSync('../sub', join(root, 'sub/up'));
  symlinkSync('x', join(root, 'y'));
  symlinkSync('y', join(root, 'x'));
  symlinkSync('a.txt', join(root, 'sub/b.txt'));
  symlinkSync(outside, join(root, 'door'));
  expect(await text(root, { pattern: '**/*.txt' })).toBe('sub/a.txt\nsub/b.txt');
  expect(await text(root, { pattern: 'door/*' })).toBe('path is outside the workspace: door');
});

test('at most `limit` paths, 200 by default, with a note', async () => {
  const files = Object.fromEntries(Array.from({ length: 205 }, (_, at) => [`f${String(at).padStart(3, '0')}`, '']));
  const root = tempFolder(files);
  const lines = (await text(root, { pattern: '*' })).split('\n');
  expect([lines.length, lines[0], lines[199], lines[200]]).toEqual([
    201,
    'f000',
    'f199',
    '... [200 paths shown, there are more. Narrow the pattern or raise limit.]',
  ]);
  expect((await text(root, { pattern: '*', limit: 205 })).split('\n')).toHaveLength(205);
});

test('hidden files are left out and counted', async () => {
  const root = tempFolder({ '.env': '', 'a.txt': '' });
  expect((await run(root, { pattern: '*' }, (path) => path.rel !== '.env')).text).toBe(
    'a.txt\n[1 left out: the rules deny reading it]',
  );
});

test('odd names stay on one line; names that are not UTF-8 are counted', async () => {
  const root = tempFolder({ 'odd\nname.txt': '' });
  execFileSync('bash', ['-c', "touch $'bad\\xff.txt'"], { cwd: root });
  expect(await text(root, { pattern: '*' })).toBe('"odd\\nname.txt"\n[1 file left out: the name is not UTF-8]');
});

test('patterns that lead out are refused, an empty one too', async () => {
  const root = tempFolder();
  for (const pattern of ['../x', '/etc/*', 'a/../../b']) {
    expect(await run(root, { pattern })).toMatchObject({
      code: 'outside',
      text: `path is outside the workspace: ${pattern}`,
    });
  }
  expect((await run(root, { pattern: ' ' })).code).toBe('invalid');
});

test('a workspace inside an ignored folder of another repository is not empty', async () => {
  const top = tempFolder({
    '.gitignore': 'build\n',
    'build/ws/a.txt': '',
    'build/ws/.gitignore': 'b.txt',
    'build/ws/b.txt': '',
  });
  execFileSync('git', ['init', '-q', '.'], { cwd: top });
  expect(await text(join(top, 'build/ws'), { pattern: '*' })).toBe('.gitignore\na.txt');
});

test('a workspace below the top of its repository obeys the rules above it', async () => {
  const top = tempFolder({ '.gitignore': '*.log\nws/x.txt\n', 'ws/a.log': '', 'ws/x.txt': '', 'ws/y.txt': '' });
  execFileSync('git', ['init', '-q', '.'], { cwd: top });
  expect(await text(join(top, 'ws'), { pattern: '*' })).toBe('y.txt');
});

test('worktrees share the private ignore file', async () => {
  const top = tempFolder({ 'a.txt': 'x' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: top });
  git('init', '-q', '.');
  git('add', '.');
  git('commit', '-qm', 'a');
  const tree = join(tempFolder(), 'tree');
  git('worktree', 'add', '-q', tree);
  execFileSync('bash', ['-c', 'echo private >> .git/info/exclude; touch $0/private $0/open', tree], { cwd: top });
  expect(await text(tree, { pattern: '*' })).toBe('a.txt\nopen');
});

test('a cancelled walk ends', async () => {
  const stop = new AbortController();
  stop.abort();
  const root = tempFolder({ 'a.txt': '' });
  const result = await callTool(glob, { pattern: '**/*.x' }, { root, signal: stop.signal });
  expect(result.text).toBe('This operation was aborted');
});

test('the schema is small', () => {
  const { name, description, input } = glob;
  expect(Buffer.byteLength(JSON.stringify({ name, description, schema: input }))).toBeLessThanOrEqual(499);
});

test('a workspace that is gone is told, not taken for an empty one', async () => {
  const root = tempFolder({ 'a.txt': '' });
  const workspace = openWorkspace({ root });
  const context = {
    workspace,
    callId: 'c',
    signal: new AbortController().signal,
    state: createToolState(),
    emit: () => {},
  };
  rmSync(root, { recursive: true });
  const { plan } = await glob.prepare({ pattern: '**' }, context);
  await expect(plan()).rejects.toMatchObject({
    code: 'missing',
    message: `The workspace folder ${root} is gone. Nothing in it can be listed.`,
  });
});
