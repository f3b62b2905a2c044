import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Approver } from '../../src/gate/approver.ts';
import { benchOn } from '../support/dialect.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';

const open = (root: string, options = {}) => benchOn('udiff', root, options);
const failed = (code: string, text: string) => `${code}: Tool call failed: ${text}`;
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('overview and contract of a tool', () => {
  test('seven tools; three of them change the workspace', async () => {
    const { app } = await open(tempFolder());
    expect(app.gate.definitions().map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['read_file', true],
      ['list_files', true],
      ['search_code', true],
      ['git_diff', true],
      ['write_file', false],
      ['edit_file', false],
      ['delete_file', false],
    ]);
  });

  test.each([
    ['read_file', ['path'], ['path']],
    ['list_files', ['path'], []],
    ['search_code', ['query', 'path', 'file_pattern'], ['query']],
    ['git_diff', ['path'], []],
    ['write_file', ['path', 'content'], ['path', 'content']],
    ['edit_file', ['patch'], ['patch']],
    ['delete_file', ['path'], ['path']],
  ])('%s has the documented fields', async (name, fields, required) => {
    const { app } = await open(tempFolder());
    const { input } = app.gate.definitions().find((tool) => tool.name === name)!;
    expect([Object.keys(input.properties as object), input.required ?? []]).toEqual([fields, required]);
  });

  test('a tool error comes back as a result that begins `Tool call failed: `', async () => {
    const bench = await open(tempFolder());
    expect(await bench.call('read_file', { path: 'gone' })).toEqual({
      ok: false,
      code: 'missing',
      text: 'Tool call failed: inspect file: gone: no such file or directory',
    });
    expect(await bench.error('no_tool')).toBe(
      failed(
        'invalid',
        'There is no tool named "no_tool". The tools are: read_file, list_files, search_code, git_diff, write_file, edit_file, delete_file.',
      ),
    );
  });
});

describe('planning and approval', () => {
  const approver = (answer: 'once' | 'no', meanwhile: () => void = () => {}) => {
    const shown: string[] = [];
    const asks: Approver = {
      present: true,
      ask: async ({ preview }) => {
        shown.push(preview);
        meanwhile();
        return { type: answer };
      },
    };
    return { asks, shown };
  };

  test('the exact diff is shown before anything is written', async () => {
    const root = tempFolder({ 'a.txt': 'one\n' });
    const { asks, shown } = approver('once', () => expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n'));
    const bench = await open(root, { approver: asks, approve: 'ask' });
    expect(await bench.text('write_file', { path: 'a.txt', content: 'two\n' })).toBe('updated a.txt (4 bytes)');
    expect(shown).toEqual(['diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n']);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
  });

  test.each([
    ['write_file', { path: 'a.txt', content: 'two\n' }],
    ['edit_file', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' }],
    ['delete_file', { path: 'a.txt' }],
  ])('%s: declined, nothing is done and the model is told', async (tool, args) => {
    const root = tempFolder({ 'a.txt': 'one\n' });
    const bench = await open(root, { approver: approver('no').asks, approve: 'ask' });
    expect(await bench.error(tool, args)).toMatch(/^denied: Tool call failed: /);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test.each([
    ['write_file', { path: 'a.txt', content: 'two\n' }],
    ['edit_file', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' }],
    ['delete_file', { path: 'a.txt' }],
  ])('%s: a file that changed while approval was awaited is not written', async (tool, args) => {
    const root = tempFolder({ 'a.txt': 'one\n' });
    const { asks } = approver('once', () => writeFileSync(join(root, 'a.txt'), 'theirs\n'));
    const bench = await open(root, { approver: asks, approve: 'ask' });
    expect(await bench.error(tool, args)).toMatch(/^stale: Tool call failed: /);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('theirs\n');
  });
});

describe('arguments', () => {
  test('a misspelled or extra field is an error', async () => {
    const bench = await open(tempFolder());
    expect(await bench.error('read_file', { path: 'a', x: 1 })).toBe(
      failed('invalid', 'invalid read_file arguments: json: unknown field "x". Expected: {"path": string}'),
    );
    expect(await bench.error('list_files', '{"Path":"a"}')).toBe(
      failed('invalid', 'invalid list_files arguments: json: unknown field "Path". Expected: {"path"?: string}'),
    );
  });

  test('two JSON values in one call are rejected', async () => {
    const bench = await open(tempFolder());
    expect(await bench.error('read_file', '{"path":"a"}{"path":"b"}')).toBe(
      failed(
        'invalid',
        'invalid read_file arguments: multiple json values; send exactly one object. Expected: {"path": string}',
      ),
    );
  });

  test('list_files and git_diff take empty input for no arguments', async () => {
    const bench = await open(repository({ a: '' }));
    expect(await bench.text('list_files', '')).toBe('.git/\na');
    expect(await bench.text('git_diff', '')).toBe('No changes in the working tree.');
  });

  test.each(['read_file', 'search_code', 'write_file', 'edit_file', 'delete_file'])(
    '%s does not take empty input',
    async (tool) => {
      expect(await (await open(tempFolder())).error(tool, '')).toMatch(
        new RegExp(`^invalid: Tool call failed: invalid ${tool} arguments: field "\\w+" is required \\(string\\)`),
      );
    },
  );
});

describe('confinement', () => {
  const reading: [string, object][] = [
    ['read_file', {}],
    ['list_files', {}],
    ['search_code', { query: 'x' }],
    ['write_file', { content: 'x' }],
    ['delete_file', {}],
  ];

  test.each(reading)('%s: `..` that leads out is rejected', async (tool, more) => {
    const bench = await open(tempFolder());
    expect(await bench.error(tool, { ...more, path: 'a/../../x' })).toBe(
      failed('outside', 'path is outside the workspace: a/../../x'),
    );
  });

  test.each(reading)('%s: a link on the existing prefix that leads out is rejected', async (tool, more) => {
    const root = tempFolder();
    symlinkSync(tempFolder({ secret: 'x' }), join(root, 'link'));
    const bench = await open(root);
    expect(await bench.error(tool, { ...more, path: 'link/new/x' })).toBe(
      failed('outside', 'path is outside the workspace: link/new/x'),
    );
  });

  test('an absolute path is joined under the root', async () => {
    const root = tempFolder({ 'etc/passwd': 'mine\n' });
    const bench = await open(root);
    expect(await bench.text('read_file', { path: '/etc/passwd' })).toBe('mine\n');
    expect(await bench.text('write_file', { path: '/etc/new', content: '' })).toBe('created etc/new (0 bytes)');
    expect(readdirSync(join(root, 'etc'))).toEqual(['new', 'passwd']);
  });

  test('a cancelled call does nothing', async () => {
    const root = tempFolder();
    const bench = await open(root);
    expect(await bench.call('write_file', { path: 'a', content: '' }, AbortSignal.abort())).toEqual({
      ok: false,
      code: 'interrupted',
      text: 'Tool call failed: The call was cancelled.',
    });
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('read_file', () => {
  test('the raw contents', async () => {
    const bench = await open(tempFolder({ 'a.txt': '\ufeffé\r\n\tlast' }));
    expect(await bench.text('read_file', { path: 'a.txt' })).toBe('\ufeffé\r\n\tlast');
  });

  test.each(['', '  \n'])('an empty or blank path (%j): path is required', async (path) => {
    expect(await (await open(tempFolder())).error('read_file', { path })).toMatch(
      /^invalid: Tool call failed: path is required/,
    );
  });

  test('a missing file: inspect file', async () => {
    expect(await (await open(tempFolder())).error('read_file', { path: 'gone' })).toBe(
      failed('missing', 'inspect file: gone: no such file or directory'),
    );
  });

  test('a directory or a pipe: path is not a regular file', async () => {
    const root = tempFolder({ 'dir/a': '' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const bench = await open(root);
    expect(await bench.error('read_file', { path: 'dir' })).toBe(
      failed('conflict', 'path is not a regular file: dir is a directory.'),
    );
    expect(await bench.error('read_file', { path: 'pipe' })).toMatch(
      /^conflict: Tool call failed: path is not a regular file: pipe is /,
    );
  });

  test('whole up to 4 MB; beyond, the head, the size and what to use next', async () => {
    const whole = 'a line of text\n'.repeat(200_000);
    const bench = await open(tempFolder({ whole, large: whole.repeat(2) }));
    expect(await bench.text('read_file', { path: 'whole' })).toBe(whole);
    const shown = await bench.text('read_file', { path: 'large' });
    expect(shown.length).toBeLessThan(70_000);
    expect(shown).toMatch(
      /\n\.\.\. \[the first .+ of .+; use search_code with this path to find the lines you need\]$/,
    );
  });
});

describe('list_files', () => {
  test('sorted names, one a line, directories with a slash, not recursive', async () => {
    const bench = await open(tempFolder({ 'main.go': '', 'README.md': '', 'docs/a/b.md': '', 'internal/x.go': '' }));
    expect(await bench.text('list_files', {})).toBe('README.md\ndocs/\ninternal/\nmain.go');
    expect(await bench.text('list_files', { path: '' })).toBe('README.md\ndocs/\ninternal/\nmain.go');
    expect(await bench.text('list_files', { path: 'docs' })).toBe('a/');
  });

  test('hidden and ignored names are listed, too', async () => {
    const bench = await open(tempFolder({ '.gitignore': 'out\n', 'out/a': '', '.h': '' }));
    expect(await bench.text('list_files')).toBe('.gitignore\n.h\nout/');
  });

  test.each([
    ['list_files', { path: '../x' }],
    ['search_code', { query: 'x', path: 'a/../../x' }],
  ])('%s: outside the workspace', async (tool, args) => {
    const bench = await open(tempFolder());
    expect(await bench.error(tool, args)).toBe(failed('outside', `path is outside the workspace: ${args.path}`));
  });

  test.each([
    ['list_files', {}],
    ['search_code', { query: 'x' }],
  ])('%s: a cancelled call does nothing', async (tool, args) => {
    const bench = await open(tempFolder({ a: 'x' }));
    expect(await bench.call(tool, args, AbortSignal.abort())).toEqual({
      ok: false,
      code: 'interrupted',
      text: 'Tool call failed: The call was cancelled.',
    });
  });

  test('an empty directory gives an empty string', async () => {
    expect(await (await open(tempFolder())).text('list_files')).toBe('');
  });

  test('a missing directory: inspect directory', async () => {
    expect(await (await open(tempFolder())).error('list_files', { path: 'gone' })).toBe(
      failed('missing', 'inspect directory: no such file or directory: gone'),
    );
  });

  test('a file: path is not a directory', async () => {
    expect(await (await open(tempFolder({ a: '' }))).error('list_files', { path: 'a' })).toBe(
      failed('conflict', 'path is not a directory: a'),
    );
  });
});

describe('search_code', () => {
  test('rows are relative/path:line:text, as grep -n prints them', async () => {
    const bench = await open(tempFolder({ 'b/c.go': 'x\n\tfunc a()\n', 'a.go': 'func b()\n' }));
    expect(await bench.text('search_code', { query: 'func' })).toBe('a.go:1:func b()\nb/c.go:2:\tfunc a()');
    expect(await bench.text('search_code', { query: 'func', path: 'b' })).toBe('b/c.go:2:\tfunc a()');
    expect(await bench.text('search_code', { query: 'func', path: 'b/c.go' })).toBe('b/c.go:2:\tfunc a()');
  });

  test('file_pattern limits the files', async () => {
    const bench = await open(tempFolder({ 'd/a.go': 'x', 'd/a.ts': 'x' }));
    expect(await bench.text('search_code', { query: 'x', file_pattern: '*.go' })).toBe('d/a.go:1:x');
  });

  test('nothing matched', async () => {
    expect(await (await open(tempFolder({ a: 'x' }))).text('search_code', { query: 'y' })).toBe('No matches found');
  });

  test('the query is literal: a.b matches only a.b', async () => {
    const bench = await open(tempFolder({ f: 'axb\na.b\n' }));
    expect(await bench.text('search_code', { query: 'a.b' })).toBe('f:2:a.b');
  });

  test('a query or path that begins with - is no option', async () => {
    const bench = await open(tempFolder({ '-r': 'see --version\n', a: '-e\n' }));
    expect(await bench.text('search_code', { query: '--version' })).toBe('-r:1:see --version');
    expect(await bench.text('search_code', { query: '-e' })).toBe('a:1:-e');
    expect(await bench.text('search_code', { query: 'see', path: '-r' })).toBe('-r:1:see --version');
  });

  test('binary files and .git are skipped, ignored and hidden ones are not', async () => {
    const bench = await open(
      repository({ bin: Buffer.from('x\0'), '.gitignore': 'out\n', 'out/a': 'needle', '.h': 'needle' }),
    );
    writeFileSync(join(bench.root, '.git/needle'), 'needle');
    writeFileSync(join(bench.root, 'bin'), 'needle\0');
    expect(await bench.text('search_code', { query: 'needle' })).toBe('.h:1:needle\nout/a:1:needle');
  });

  test('another failure: grep failed', async () => {
    expect(await (await open(tempFolder())).error('search_code', { query: 'x', path: 'gone' })).toBe(
      failed('missing', 'grep failed: gone: No such file or directory'),
    );
  });

  test.each(['', ' \t'])('an empty or blank query (%j): query is required', async (query) => {
    expect(await (await open(tempFolder())).error('search_code', { query })).toMatch(
      /^invalid: Tool call failed: .*query is required/,
    );
  });

  test('capped at 32 KB, with the trailing words', async () => {
    const bench = await open(tempFolder({ f: `${'needle '.repeat(10)}\n`.repeat(2000) }));
    const found = await bench.text('search_code', { query: 'needle' });
    expect(found.endsWith('\n... output truncated, narrow your search.')).toBe(true);
    const rows = found.slice(0, found.lastIndexOf('\n'));
    expect(rows.length).toBeLessThanOrEqual(32 * 1024);
    expect(rows.length).toBeGreaterThan(32 * 1024 - 100);
  });
});

describe('git_diff', () => {
  test('the changed files, then the diff against HEAD, new files included', async () => {
    const root = repository({ 'internal/agent.go': 'a\n' });
    writeFileSync(join(root, 'internal/agent.go'), 'b\n');
    writeFileSync(join(root, 'internal/new.go'), 'n\n');
    const bench = await open(root);
    const diff = (file: string) => sh(root, `git diff HEAD -- ${file}`);
    const agent = diff('internal/agent.go');
    const added =
      'diff --git a/internal/new.go b/internal/new.go\nnew file mode 100644\n--- /dev/null\n+++ b/internal/new.go\n@@ -0,0 +1 @@\n+n';
    expect(await bench.text('git_diff')).toBe(
      `Changed files (git status --porcelain):\n M internal/agent.go\n?? internal/new.go\n\nDiff against HEAD:\n${agent}${added}`,
    );
    expect(await bench.text('git_diff', { path: 'internal/new.go' })).toBe(
      `Changed files (git status --porcelain):\n?? internal/new.go\n\nDiff against HEAD:\n${added}`,
    );
  });

  test('no repository', async () => {
    expect(await (await open(tempFolder())).error('git_diff')).toBe(
      failed('failed', 'workspace is not a git repository, cannot verify changes'),
    );
  });

  test('a repository with no commits yet', async () => {
    const root = tempFolder({ 'a.txt': 'a\n' });
    sh(root, 'git init -q -b main');
    expect(await (await open(root)).text('git_diff')).toBe(
      'Changed files (git status --porcelain):\n?? a.txt\n\nDiff (no commits yet, everything is new):\n' +
        'diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a',
    );
  });

  test('over 64 KB it is truncated with a hint to pass a path', async () => {
    const root = repository({ a: '' });
    writeFileSync(join(root, 'a'), 'line of text\n'.repeat(10_000));
    const shown = await (await open(root)).text('git_diff');
    expect(shown).toMatch(/\n\.\.\. output truncated, [\d,]+ bytes left out; pass a path to narrow it$/);
    expect(Buffer.byteLength(shown)).toBeLessThan(65 * 1024);
  });

  test('never writes: not even the index', async () => {
    const root = repository({ a: '1\n' });
    writeFileSync(join(root, 'a'), '2\n');
    const before = readFileSync(join(root, '.git/index'));
    await (await open(root)).text('git_diff');
    expect(readFileSync(join(root, '.git/index')).equals(before)).toBe(true);
  });
});

describe('write_file', () => {
  test('created or updated, with the bytes; empty content is allowed; parents are made', async () => {
    const bench = await open(tempFolder());
    expect(await bench.text('write_file', { path: 'x/y/z.txt', content: '' })).toBe('created x/y/z.txt (0 bytes)');
    expect(await bench.text('write_file', { path: 'x/y/z.txt', content: 'é\n' })).toBe('updated x/y/z.txt (3 bytes)');
    expect(readFileSync(join(bench.root, 'x/y/z.txt'), 'utf8')).toBe('é\n');
  });

  test('no path: path is required; a directory: path is not a regular file', async () => {
    const bench = await open(tempFolder({ 'd/a': '' }));
    expect(await bench.error('write_file', { path: ' ', content: '' })).toMatch(/path is required/);
    expect(await bench.error('write_file', { path: 'd', content: '' })).toBe(
      failed('conflict', 'path is not a regular file: d is a directory. Nothing was changed.'),
    );
  });

  test('permission bits are kept; new files have 0644', async () => {
    const bench = await open(tempFolder({ 'run.sh': 'old\n' }));
    chmodSync(join(bench.root, 'run.sh'), 0o755);
    await bench.text('write_file', { path: 'run.sh', content: 'new\n' });
    await bench.text('write_file', { path: 'new', content: '' });
    expect([modeOf(join(bench.root, 'run.sh')), modeOf(join(bench.root, 'new'))]).toEqual([0o755, 0o644]);
  });

  test('below a file nothing can be created', async () => {
    const bench = await open(tempFolder({ a: 'x' }));
    expect(await bench.error('write_file', { path: 'a/b', content: '' })).toBe(
      failed('conflict', 'a is a file, so nothing can be created below it. Nothing was changed.'),
    );
  });

  test('.git is guarded here too', async () => {
    const bench = await open(repository({ a: '' }));
    expect(await bench.error('write_file', { path: '.git/config', content: '' })).toMatch(/^denied: .*\.git/);
    expect(await bench.error('delete_file', { path: '.git/HEAD' })).toMatch(/^denied: .*\.git/);
  });
});

describe('edit_file', () => {
  const patched = (name: string, from = 'one', to = 'two') =>
    `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  const created = (name: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;

  test('the example: modify, create, delete in one patch, one line a file', async () => {
    const root = tempFolder({ 'main.go': 'package main\nvar x = 1\nfunc main() {}\n', 'old.txt': 'x\ny\n' });
    const bench = await open(root);
    const patch = [
      ...['--- a/main.go', '+++ b/main.go', '@@ -1,3 +1,3 @@', ' package main', '-var x = 1', '+var x = 2'],
      ...[' func main() {}', '--- /dev/null', '+++ b/notes/new.txt', '@@ -0,0 +1,2 @@', '+hello', '+world'],
      ...['--- a/old.txt', '+++ /dev/null', '@@ -1,2 +0,0 @@', '-x', '-y', ''],
    ].join('\n');
    expect(await bench.text('edit_file', { patch })).toBe('modified main.go\ncreated notes/new.txt\ndeleted old.txt');
    expect(readFileSync(join(root, 'main.go'), 'utf8')).toBe('package main\nvar x = 2\nfunc main() {}\n');
    expect(readFileSync(join(root, 'notes/new.txt'), 'utf8')).toBe('hello\nworld\n');
    expect(existsSync(join(root, 'old.txt'))).toBe(false);
  });

  test('a rename: renamed <old> -> <new>', async () => {
    const bench = await open(tempFolder({ 'old.txt': 'one\n' }));
    const patch = 'diff --git a/old.txt b/d/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to d/new.txt\n';
    expect(await bench.text('edit_file', { patch })).toBe('renamed old.txt -> d/new.txt');
    expect(readFileSync(join(bench.root, 'd/new.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(bench.root, 'old.txt'))).toBe(false);
  });

  test.each([
    [
      'a binary patch',
      'diff --git a/a b/a\nindex 000..111\nGIT binary patch\nliteral 1\nIcmZ\n',
      'The section on line 1 of the patch is a binary patch; only text can be patched.',
    ],
    [
      'a copy',
      'diff --git a/a b/c\nsimilarity index 100%\ncopy from a\ncopy to c\n',
      'The section on line 1 of the patch copies a file; copies are not supported. Create the new file with its text.',
    ],
    [
      'two names without a rename mark',
      '--- a/a\n+++ b/c\n@@ -1 +1 @@\n-one\n+two\n',
      'The section on line 1 of the patch modifies "a/a" as "b/c": the names differ, but it is not marked as a rename. Use the same name on both sides, or a "diff --git" section with "rename from" and "rename to" lines.',
    ],
    [
      'one path twice',
      patched('a') + patched('a', 'two', 'three'),
      'The patch names "a" more than once. Put all hunks of a file into one section.',
    ],
    [
      'more than 50 files',
      Array.from({ length: 51 }, (_, at) => created(`f${at}`)).join(''),
      'The patch touches 51 files; at most 50 are allowed. Send it in parts.',
    ],
  ])('rejected: %s', async (_, patch, why) => {
    const bench = await open(tempFolder({ a: 'one\n' }));
    expect(await bench.error('edit_file', { patch })).toBe(failed('invalid', why));
    expect(readdirSync(bench.root)).toEqual(['a']);
  });

  test('50 files in one patch are fine', async () => {
    const bench = await open(tempFolder());
    const patch = Array.from({ length: 50 }, (_, at) => created(`f${at}`)).join('');
    expect((await bench.text('edit_file', { patch })).split('\n')).toHaveLength(50);
    expect(readdirSync(bench.root)).toHaveLength(50);
  });

  test('a create or rename does not overwrite: <name> already exists', async () => {
    const bench = await open(tempFolder({ a: 'one\n', b: 'b\n' }));
    expect(await bench.error('edit_file', { patch: created('a') })).toBe(
      failed('conflict', 'a already exists. No files were modified.'),
    );
    const rename = 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n';
    expect(await bench.error('edit_file', { patch: rename })).toBe(
      failed('conflict', 'b already exists. No files were modified.'),
    );
  });

  test('the original must exist and be a regular file', async () => {
    const bench = await open(tempFolder({ 'd/x': '' }));
    expect(await bench.error('edit_file', { patch: patched('gone') })).toBe(
      failed('missing', 'No such file: gone. No files were modified.'),
    );
    expect(await bench.error('edit_file', { patch: patched('d') })).toBe(
      failed('conflict', 'path is not a regular file: d is a directory. No files were modified.'),
    );
  });

  test('a hunk that does not match: nothing is written, and the error says what to do', async () => {
    const bench = await open(tempFolder({ 'a.txt': 'other\n', 'b.txt': 'one\n' }));
    expect(await bench.error('edit_file', { patch: patched('b.txt') + patched('a.txt') })).toBe(
      failed(
        'conflict',
        'apply patch to a.txt: hunk 1 (@@ -1 +1 @@) does not match: line 9 of the patch expects "one", but line 1 of the file is "other". ' +
          'No files were modified. Do not fall back to write_file or rewrite the whole file. Re-read "a.txt" with read_file, ' +
          'then generate a new, minimal patch with fresh context lines copied from its current content.',
      ),
    );
    expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('one\n');
  });

  test('the description says the same', async () => {
    const { app } = await open(tempFolder());
    const { description } = app.gate.definitions().find(({ name }) => name === 'edit_file')!;
    expect(description).toContain('do not rewrite the whole file');
  });

  test('the mode of a modified file is kept', async () => {
    const bench = await open(tempFolder({ 'run.sh': 'one\n' }));
    chmodSync(join(bench.root, 'run.sh'), 0o755);
    expect(await bench.text('edit_file', { patch: patched('run.sh') })).toBe('modified run.sh');
    expect(modeOf(join(bench.root, 'run.sh'))).toBe(0o755);
  });

  test('one prefix is stripped in plain diffs, none more in git format', async () => {
    const bench = await open(tempFolder({ 'b/x.go': 'one\n', 'x.go': 'one\n' }));
    expect(await bench.text('edit_file', { patch: patched('x.go') })).toBe('modified x.go');
    const git = `diff --git a/b/x.go b/b/x.go\n${patched('b/x.go')}`;
    expect(await bench.text('edit_file', { patch: git })).toBe('modified b/x.go');
  });

  test('the confessed weakness is mended: a plain diff without prefixes reaches a folder named b', async () => {
    const bench = await open(tempFolder({ 'b/x.go': 'one\n' }));
    const patch = '--- b/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-one\n+two\n';
    expect(await bench.text('edit_file', { patch })).toBe('modified b/x.go');
  });

  test('the confessed weakness is mended: plain and git sections mix', async () => {
    const bench = await open(tempFolder({ 'b/x.go': 'one\n', 'x.go': 'one\n' }));
    const patch = `${patched('x.go')}diff --git a/b/x.go b/b/x.go\n${patched('b/x.go')}`;
    expect(await bench.text('edit_file', { patch })).toBe('modified x.go\nmodified b/x.go');
  });

  test('no patch at all says what a patch is', async () => {
    expect(await (await open(tempFolder())).error('edit_file', { patch: 'hello' })).toMatch(
      /^invalid: Tool call failed: The patch holds no change\. Send a unified diff: /,
    );
  });
});

describe('delete_file', () => {
  test('deleted <path>', async () => {
    const bench = await open(tempFolder({ 'd/a.txt': 'x' }));
    expect(await bench.text('delete_file', { path: 'd/a.txt' })).toBe('deleted d/a.txt');
    expect(readdirSync(join(bench.root, 'd'))).toEqual([]);
  });

  test('missing: inspect file; a directory: path is a directory, not a file; blank: path is required', async () => {
    const bench = await open(tempFolder({ 'd/a.txt': 'x' }));
    expect(await bench.error('delete_file', { path: 'gone' })).toBe(
      failed('missing', 'inspect file: gone: no such file or directory'),
    );
    expect(await bench.error('delete_file', { path: 'd' })).toBe(
      failed('conflict', 'path is a directory, not a file: d. Directories are never deleted.'),
    );
    expect(await bench.error('delete_file', { path: '' })).toMatch(/path is required/);
    expect(existsSync(join(bench.root, 'd/a.txt'))).toBe(true);
  });

  test('a link that points outside is refused rather than deleted; one that points inside goes alone', async () => {
    const outside = tempFolder({ 'x.txt': 'x' });
    const bench = await open(tempFolder({ 'a.txt': 'x' }));
    symlinkSync(join(outside, 'x.txt'), join(bench.root, 'out'));
    symlinkSync('a.txt', join(bench.root, 'in'));
    expect(await bench.error('delete_file', { path: 'out' })).toBe(
      failed('outside', 'path is outside the workspace: out'),
    );
    expect(lstatSync(join(bench.root, 'out')).isSymbolicLink()).toBe(true);
    expect(await bench.text('delete_file', { path: 'in' })).toBe('deleted in');
    expect(readdirSync(bench.root)).toEqual(['a.txt', 'out']);
  });
});

describe('validatePath', () => {
  const rows: [string, string, string][] = [
    ['blank', '   ', 'path is required'],
    ['longer than 4096 bytes', 'x'.repeat(4097), 'too long'],
    ['a control character', 'a\u0001b', 'control characters'],
    ['absolute', '/x', 'relative'],
    ['a backslash in front', '\\x', 'relative'],
    ['a drive', 'C:x', 'relative'],
    ['a .. segment', '../x', "'..'"],
    ['a harmless .. segment', 'a/../b', "'..'"],
    ['a .git component', 'a/.git/b', '.git'],
    ['.git in capitals', '.GIT/config', '.git'],
    ['outside through a link', 'link/x', 'outside the workspace'],
  ];

  const place = () => {
    const root = repository({ a: '' });
    symlinkSync(tempFolder(), join(root, 'link'));
    mkdirSync(join(root, 'd'));
    return open(root);
  };

  test.each(rows)('git_diff: %s', async (_, path, words) => {
    const error = await (await place()).error('git_diff', { path });
    expect(error).toMatch(/^(invalid|outside): Tool call failed: /);
    expect(error).toContain(words);
    expect(error.length).toBeLessThan(400);
  });

  test.each(rows)('edit_file: %s', async (_, path, words) => {
    const bench = await place();
    for (const patch of [
      `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`,
      `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`,
      `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`,
    ]) {
      const error = await bench.error('edit_file', { patch });
      expect(error).toMatch(/^(invalid|outside): Tool call failed: /);
      expect(error).toContain(words);
      expect(error.length).toBeLessThan(400);
    }
  });

  test('the rows are tried in order', async () => {
    const bench = await place();
    expect(await bench.error('git_diff', { path: `/../.git/\n${'x'.repeat(4096)}` })).toContain('too long');
    expect(await bench.error('git_diff', { path: '/../.git\n' })).toContain('control characters');
    expect(await bench.error('git_diff', { path: '/../.git' })).toContain('relative');
    expect(await bench.error('git_diff', { path: 'a/../.git' })).toContain("'..'");
  });

  test.each(['.gitignore', '.github/x', 'a.git', '..x', 'x..'])('%s is a name like any other', async (path) => {
    const bench = await place();
    expect(await bench.text('edit_file', { patch: `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n` })).toBe(
      `created ${path}`,
    );
    expect(await bench.text('git_diff', { path })).toContain(`?? ${path}`);
  });
});
