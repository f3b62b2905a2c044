import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listDir, shownSize } from '../../src/tools/list.ts';
import { listFiles } from '../../src/tools/list-files.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const tool = listDir({ ignoreFiles: ['.shiroignore', '.benchdogignore'] });
const text = async (root: string, args: object) => (await callTool(tool, args, { root })).text;

test('the tree as documented', async () => {
  const root = tempFolder({ 'README.md': 'hi', 'src/app.ts': 'x'.repeat(2048), 'src/ui/deep/a.ts': 'x' });
  expect(await text(root, {})).toBe('.\nREADME.md  2B\nsrc/\n  app.ts  2K\n  ui/');
  expect(await text(root, { depth: 1 })).toBe('.\nREADME.md  2B\nsrc/');
  expect(await text(root, { path: 'src', depth: 6 })).toBe('src/\napp.ts  2K\nui/\n  deep/\n    a.ts  1B');
});

test('ignored entries are left out unless asked for', async () => {
  const root = tempFolder({
    '.gitignore': 'dist/\n',
    '.shiroignore': 'plans\n',
    'dist/o.js': 'x',
    plans: 'x',
    'node_modules/m/i.js': 'x',
    '.git/HEAD': 'x',
    '.env.example': 'x',
  });
  expect(await text(root, {})).toBe('.\n.env.example  1B\n.gitignore  6B\n.shiroignore  6B');
  expect(await text(root, { depth: 1, includeIgnored: true })).toBe(
    '.\n.env.example  1B\n.gitignore  6B\n.shiroignore  6B\ndist/\nnode_modules/\nplans  1B',
  );
  expect(await text(root, { path: 'dist' })).toBe('dist/\n[ignored; set includeIgnored to list it]');
  expect(await text(root, { path: 'dist', includeIgnored: true })).toBe('dist/\no.js  1B');
});

test('a tracked file in an ignored folder is shown', async () => {
  const root = tempFolder({ '.gitignore': 'dist\n', 'dist/t.js': 'x', 'dist/u.js': 'x' });
  execFileSync('git', ['init', '-q', '.'], { cwd: root });
  execFileSync('git', ['add', '-f', 'dist/t.js'], { cwd: root });
  expect(await text(root, {})).toBe('.\n.gitignore  5B\ndist/\n  t.js  1B');
});

test('links and special files are listed, not followed', async () => {
  const root = tempFolder({ 'sub/a.txt': 'x' });
  symlinkSync('.', join(root, 'sub/self'));
  symlinkSync(tempFolder(), join(root, 'door'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await text(root, { depth: 6 })).toBe('.\ndoor  link\npipe  special\nsub/\n  a.txt  1B\n  self  link');
  expect((await callTool(tool, { path: 'door' }, { root })).code).toBe('outside');
});

test('at most 300 entries, the nearest ones, with a note', async () => {
  const deep = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`a/f${at}`, '']));
  const root = tempFolder({ ...deep, 'z.txt': '' });
  const lines = (await text(root, {})).split('\n');
  expect([lines.length, lines.includes('z.txt  0B'), lines.at(-1)]).toEqual([
    302,
    true,
    '... [300 entries shown, there are more. List a subdirectory or a smaller depth.]',
  ]);
});

test('what is no directory is refused', async () => {
  const root = tempFolder({ 'a.txt': '' });
  expect(await callTool(tool, { path: 'nope' }, { root })).toMatchObject({
    code: 'missing',
    text: 'No such directory: nope',
  });
  expect(await callTool(tool, { path: 'a.txt' }, { root })).toMatchObject({
    code: 'conflict',
    text: 'path is not a directory: a.txt',
  });
  expect((await callTool(tool, { depth: 7 }, { root })).code).toBe('invalid');
  expect((await callTool(tool, { depth: 0 }, { root })).code).toBe('invalid');
});

test('hidden files are not listed', async () => {
  const root = tempFolder({ '.env': 'x', 'a.txt': 'x' });
  const visible = (path: { rel: string }) => path.rel !== '.env';
  expect((await callTool(tool, {}, { root, visible })).text).toBe('.\na.txt  1B');
  expect((await callTool(listFiles, {}, { root, visible })).text).toBe('a.txt');
});

test.each([
  [0, '0B'],
  [1023, '1023B'],
  [1024, '1K'],
  [1_000_000, '977K'],
  [1_048_500, '1M'],
  [5e9, '5G'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(shownSize(bytes)).toBe(shown);
});

test('the schema of list_dir is small', () => {
  const { name, description, input } = tool;
  expect(Buffer.byteLength(JSON.stringify({ name, description, schema: input }))).toBeLessThanOrEqual(594);
});

test('list_files: sorted names, directories end with /, nothing for an empty one', async () => {
  const root = tempFolder({
    'main.go': '',
    'README.md': '',
    'docs/a.md': '',
    'internal/b.go': '',
    '.gitignore': 'docs',
  });
  const list = async (args: unknown) => callTool(listFiles, args, { root });
  expect((await list({})).text).toBe('.gitignore\nREADME.md\ndocs/\ninternal/\nmain.go');
  expect((await list('')).text).toBe('.gitignore\nREADME.md\ndocs/\ninternal/\nmain.go');
  expect((await list({ path: '' })).text).toBe('.gitignore\nREADME.md\ndocs/\ninternal/\nmain.go');
  expect((await list({ path: 'docs' })).text).toBe('a.md');
  execFileSync('mkdir', [join(root, 'empty')]);
  expect((await list({ path: 'empty' })).text).toBe('');
  expect(await list({ path: 'nope' })).toMatchObject({
    code: 'missing',
    text: 'inspect directory: no such file or directory: nope',
  });
  expect(await list({ path: 'main.go' })).toMatchObject({ code: 'conflict', text: 'path is not a directory: main.go' });
  expect((await list({ path: '../x' })).code).toBe('outside');
});
