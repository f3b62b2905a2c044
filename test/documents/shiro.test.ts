import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesPerSet } from '../../src/cli/tools.ts';
import type { Answer, ApprovalRequest, Approver } from '../../src/gate/approver.ts';
import { benchOn } from '../support/dialect.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';

const open = (root: string, options = {}) => benchOn('shiro', root, options);
const names = ['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'bash'];
const more = ['multi_edit', 'list_dir', 'read_many_files'];
const git = ['git_status', 'git_diff', 'git_log', 'git_show', 'git_blame'];

/** A person who answers every question alike; what was asked is kept. */
function person(answer: Answer | ((request: ApprovalRequest) => Answer)) {
  const asked: ApprovalRequest[] = [];
  const approver: Approver = {
    present: true,
    ask: async (request) => {
      asked.push(request);
      return typeof answer === 'function' ? answer(request) : answer;
    },
  };
  return { approver, asked, approve: 'ask' as const };
}

describe('the approval model', () => {
  test.each([
    ['read_file', { path: 'a' }],
    ['read_many_files', { files: [{ path: 'a' }] }],
    ['glob', { pattern: '*' }],
    ['grep', { pattern: 'x' }],
    ['list_dir', {}],
    ['git_status', {}],
    ['git_diff', {}],
    ['git_log', {}],
    ['git_show', { ref: 'HEAD' }],
    ['git_blame', { path: 'a' }],
  ])('%s is allowed by default', async (tool, args) => {
    const { asked, ...who } = person({ type: 'no' });
    const bench = await open(repository({ a: 'x\n' }), who);
    await bench.text(tool, args);
    expect(asked).toEqual([]);
  });

  test.each(['.env', 'sub/prod.env', '.env.local', 'key.pem'])('reading %s is denied by default', async (path) => {
    const bench = await open(tempFolder({ [path]: 'TOKEN=zzz-secret\n' }));
    expect(await bench.error('read_file', { path })).toMatch(/^denied: /);
    const others = await Promise.all([
      bench.call('read_many_files', { files: [{ path }] }),
      bench.call('grep', { pattern: 'zzz|TOKEN', includeIgnored: true }),
      bench.call('bash', { command: `cat ${path}` }),
    ]);
    expect(others.map(({ text }) => text).join('\n')).not.toMatch(/zzz-secret/);
  });

  test('*.env.example is allowed', async () => {
    const bench = await open(tempFolder({ '.env.example': 'TOKEN=\n' }));
    expect(await bench.text('read_file', { path: '.env.example' })).toBe('1: TOKEN=');
  });

  test.each([
    ['write_file', { path: 'b', content: '' }, 'b'],
    ['edit_file', { path: 'a', oldString: 'x', newString: 'y' }, 'a'],
    ['multi_edit', { path: 'a', edits: [{ oldString: 'x', newString: 'y' }] }, 'a'],
    ['bash', { command: 'touch b' }, 'touch b'],
  ])('%s is asked by default', async (tool, args, subject) => {
    const { asked, ...who } = person({ type: 'no' });
    const bench = await open(tempFolder({ a: 'x\n' }), who);
    expect(await bench.error(tool, args)).toMatch(/^denied: /);
    expect(asked.map((one) => [one.tool, one.subject])).toEqual([[tool, subject]]);
    expect(readdirSync(bench.root)).toEqual(['a']);
    expect(readFileSync(join(bench.root, 'a'), 'utf8')).toBe('x\n');
  });

  test('*always* allows the pattern, not the tool', async () => {
    const { asked, ...who } = person(({ verdict }) =>
      verdict.always === undefined ? { type: 'no' } : { type: 'always', pattern: verdict.always },
    );
    const bench = await open(repository({ a: '' }), who);
    await bench.text('bash', { command: 'git status --porcelain' });
    expect(asked.map(({ verdict }) => verdict.always)).toEqual(['git *']);
    await bench.text('bash', { command: 'git log --oneline' });
    expect(asked).toHaveLength(1);
    await bench.call('bash', { command: 'npm publish --dry-run' });
    expect(asked).toHaveLength(2);
  });

  test('*no* tells the model that it was denied', async () => {
    const { approver } = person({ type: 'no', reason: 'use pnpm' });
    const bench = await open(tempFolder(), { approver, approve: 'ask' });
    expect(await bench.error('bash', { command: 'npm install' })).toContain('use pnpm');
  });

  test('a rule turns the common cases off entirely', async () => {
    const { asked, ...who } = person({ type: 'no' });
    const settings = { permission: { bash: { '*': 'ask', 'git *': 'allow', 'bun test*': 'allow' } } };
    const bench = await open(repository({ a: '' }), { ...who, settings });
    await bench.text('bash', { command: 'git status' });
    expect(asked).toEqual([]);
    await bench.error('bash', { command: 'ls' });
    expect(asked).toHaveLength(1);
  });

  test('the guard refuses first, and approval of everything does not reach it', async () => {
    const bench = await open(repository({ a: '' }), { approve: 'all' });
    expect(await bench.error('bash', { command: 'git reset --hard HEAD~1' })).toMatch(/^denied: .*guard/);
    expect(await bench.error('bash', { command: 'rm -rf ~' })).toMatch(/^denied: .*guard/);
  });

  test('a denied call never executes', async () => {
    const bench = await open(tempFolder(), { approve: 'none' });
    expect(await bench.error('bash', { command: 'touch ran' })).toMatch(/^denied: /);
    expect(await bench.error('write_file', { path: 'ran', content: '' })).toMatch(/^denied: /);
    expect(readdirSync(bench.root)).toEqual([]);
  });
});

describe('tool sets', () => {
  /** Session tools have no set and are never gated; they come behind these. */
  const offered = async (options = {}) =>
    (await open(tempFolder(), options)).app.gate
      .definitions()
      .flatMap(({ name, set }) => (set === undefined ? [] : name));

  test('omitted: all fourteen', async () => {
    expect(await offered()).toEqual([...names, ...more, ...git]);
  });

  test.each([
    ['edit-plus', [...names, ...more]],
    ['git', [...names, ...git]],
    ['', names],
  ])('core is always on; chosen: %j', async (tools, expected) => {
    expect(await offered({ tools })).toEqual(expected);
    expect(await offered({ settings: { toolSets: tools === '' ? [] : [tools] } })).toEqual(expected);
  });

  test('an unknown set is an error, not silence', async () => {
    await expect(open(tempFolder(), { tools: 'edit-pus' })).rejects.toThrow(/edit-plus/);
  });

  test('each set stays under its documented bytes', async () => {
    const { app } = await open(tempFolder());
    const sizes = bytesPerSet(app.gate.definitions());
    expect(sizes.core).toBeLessThanOrEqual(2990);
    expect(sizes['edit-plus']).toBeLessThanOrEqual(2500);
    expect(sizes.git).toBeLessThanOrEqual(2180);
    expect(sizes.core! + sizes['edit-plus']! + sizes.git!).toBeLessThanOrEqual(7670);
  });

  test.each([
    ['read_file', ['path', 'offset', 'limit'], ['path']],
    ['read_many_files', ['files'], ['files']],
    ['write_file', ['path', 'content'], ['path', 'content']],
    ['edit_file', ['path', 'oldString', 'newString', 'replaceAll'], ['path', 'oldString', 'newString']],
    ['multi_edit', ['path', 'edits'], ['path', 'edits']],
    ['list_dir', ['path', 'depth', 'includeIgnored'], []],
    ['glob', ['pattern', 'limit', 'includeIgnored'], ['pattern']],
    ['grep', ['pattern', 'include', 'ignoreCase', 'includeIgnored'], ['pattern']],
    ['bash', ['command', 'timeout'], ['command']],
    ['git_status', [], []],
    ['git_diff', ['staged', 'path'], []],
    ['git_log', ['limit', 'path'], []],
    ['git_show', ['ref', 'path'], ['ref']],
    ['git_blame', ['path', 'startLine', 'endLine'], ['path']],
  ])('%s has the documented fields', async (name, fields, required) => {
    const { app } = await open(tempFolder());
    const { input } = app.gate.definitions().find((tool) => tool.name === name)!;
    expect([Object.keys(input.properties as object), input.required ?? []]).toEqual([fields, required]);
  });
});

describe('read_file', () => {
  test('1-based numbers; offset and limit choose the window', async () => {
    const bench = await open(tempFolder({ 'a.txt': 'one\ntwo\nthree\n' }));
    expect(await bench.text('read_file', { path: 'a.txt' })).toBe('1: one\n2: two\n3: three');
    expect(await bench.text('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toBe(
      '2: two\n... [lines 2-2; continue with offset 3]',
    );
  });

  test('2,000 lines by default', async () => {
    const bench = await open(tempFolder({ 'a.txt': 'x\n'.repeat(2001) }));
    const shown = (await bench.text('read_file', { path: 'a.txt' })).split('\n');
    expect([shown.length, shown[1999]]).toEqual([2001, '2000: x']);
    expect(shown[2000]).toMatch(/^\.\.\. \[lines 1-2000.*; continue with offset 2001\]$/);
  });

  test('a NUL byte in the first 8 KB: binary, refused; behind them it is text', async () => {
    const bench = await open(
      tempFolder({
        last: Buffer.concat([Buffer.alloc(8191, 'a'), Buffer.from([0])]),
        behind: Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.from([0])]),
      }),
    );
    expect(await bench.error('read_file', { path: 'last' })).toBe(
      'conflict: last is a binary file (NUL byte at offset 8191), so it is not shown. Look at it with a command, such as file or xxd.',
    );
    expect(await bench.text('read_file', { path: 'behind' })).toMatch(/^1: a+/);
  });
});

describe('read_many_files', () => {
  test('the example: labelled blocks in the order given, an unreadable one in its own', async () => {
    const bench = await open(tempFolder({ 'src/app.ts': 'export const port = 8080;\n' }));
    const files = [{ path: 'src/app.ts' }, { path: 'src/gone.ts' }];
    expect(await bench.text('read_many_files', { files })).toBe(
      '===== src/app.ts =====\n1: export const port = 8080;\n\n===== src/gone.ts =====\n[unreadable: No such file: src/gone.ts]',
    );
  });

  test('each file has its own window', async () => {
    const bench = await open(tempFolder({ a: '1\n2\n3\n', b: '1\n2\n3\n' }));
    const files = [
      { path: 'b', offset: 3 },
      { path: 'a', limit: 1 },
    ];
    expect(await bench.text('read_many_files', { files })).toMatch(
      /^===== b =====\n3: 3\n\n===== a =====\n1: 1\n\.\.\. \[lines 1-1/,
    );
  });

  test('binary refusal and the jail are the same as for one file', async () => {
    const bench = await open(tempFolder({ a: 'x\n', bin: Buffer.from('a\0') }));
    const files = [{ path: 'a' }, { path: 'bin' }, { path: '../x' }];
    expect(await bench.text('read_many_files', { files })).toBe(
      '===== a =====\n1: x\n\n===== bin =====\n[unreadable: bin is a binary file (NUL byte at offset 1), so it is not shown. ' +
        'Look at it with a command, such as file or xxd.]\n\n===== ../x =====\n[unreadable: path is outside the workspace: ../x]',
    );
  });

  test('20 files at most', async () => {
    const bench = await open(tempFolder({ a: 'x\n' }));
    const files = (count: number) => ({ files: Array.from({ length: count }, () => ({ path: 'a' })) });
    expect((await bench.text('read_many_files', files(20))).split('===== a =====\n1: x')).toHaveLength(21);
    expect(await bench.error('read_many_files', files(21))).toBe(
      'invalid: invalid read_many_files arguments: field "files" must have at most 20 items, got 21. ' +
        'Expected: {"files": [{"path": string, "offset"?: integer, "limit"?: integer}, …]}',
    );
  });

  test('it fails only when every file did', async () => {
    const bench = await open(tempFolder());
    expect(await bench.error('read_many_files', { files: [{ path: 'x' }] })).toBe(
      'missing: ===== x =====\n[unreadable: No such file: x]',
    );
  });
});

describe('write_file', () => {
  test('new files and full rewrites, parents made', async () => {
    const bench = await open(tempFolder());
    await bench.text('write_file', { path: 'a/b/c.txt', content: 'one' });
    await bench.text('write_file', { path: 'a/b/c.txt', content: 'two' });
    expect(readFileSync(join(bench.root, 'a/b/c.txt'), 'utf8')).toBe('two');
  });
});

describe('edit_file', () => {
  test('one exact replacement, byte for byte, whitespace included', async () => {
    const bench = await open(tempFolder({ a: '\tif (x) {\r\n  y\r\n' }));
    expect(await bench.text('edit_file', { path: 'a', oldString: '\tif (x)', newString: '\tif (!x)' })).toBe(
      'edited a (1 replacement)',
    );
    expect(readFileSync(join(bench.root, 'a'), 'utf8')).toBe('\tif (!x) {\r\n  y\r\n');
    expect(await bench.error('edit_file', { path: 'a', oldString: '    if', newString: '' })).toMatch(
      /^conflict: oldString not found in a\./,
    );
  });

  test('an ambiguous match names the count', async () => {
    const bench = await open(tempFolder({ 'src/users.ts': 'foo\nfoo\nfoo\n' }));
    const edit = { path: 'src/users.ts', oldString: 'foo', newString: 'bar' };
    expect(await bench.error('edit_file', edit)).toBe(
      'conflict: oldString appears 3 times in src/users.ts. Add surrounding context or set replaceAll.\nThe places begin on lines 1, 2, 3.',
    );
    expect(await bench.text('edit_file', { ...edit, replaceAll: true })).toBe('edited src/users.ts (3 replacements)');
    expect(readFileSync(join(bench.root, 'src/users.ts'), 'utf8')).toBe('bar\nbar\nbar\n');
  });
});

describe('multi_edit', () => {
  test('each edit sees the result of the one before', async () => {
    const bench = await open(tempFolder({ a: 'one\n' }));
    const edits = [
      { oldString: 'one', newString: 'two two' },
      { oldString: 'two', newString: 'three', replaceAll: true },
    ];
    expect(await bench.text('multi_edit', { path: 'a', edits })).toBe('edited a (2 edits, 3 replacements)');
    expect(readFileSync(join(bench.root, 'a'), 'utf8')).toBe('three three\n');
  });

  test('one approval for all', async () => {
    const { asked, ...who } = person({ type: 'once' });
    const bench = await open(tempFolder({ a: 'one two\n' }), who);
    const edits = [
      { oldString: 'one', newString: '1' },
      { oldString: 'two', newString: '2' },
    ];
    await bench.text('multi_edit', { path: 'a', edits });
    expect(asked).toHaveLength(1);
  });

  test('a failure leaves the file as it was, and names the edit', async () => {
    const bench = await open(tempFolder({ 'src/users.ts': 'one\n' }));
    const edits = [
      { oldString: 'one', newString: 'two' },
      { oldString: 'zzz', newString: '' },
    ];
    expect(await bench.error('multi_edit', { path: 'src/users.ts', edits })).toMatch(
      /^conflict: edit 2: oldString not found in src\/users\.ts\. No edits were applied\.\n/,
    );
    expect(readFileSync(join(bench.root, 'src/users.ts'), 'utf8')).toBe('one\n');
  });

  test('the same uniqueness rule for each edit', async () => {
    const bench = await open(tempFolder({ a: 'x x\n' }));
    expect(await bench.error('multi_edit', { path: 'a', edits: [{ oldString: 'x', newString: 'y' }] })).toMatch(
      /^conflict: edit 1: oldString appears 2 times in a\. Add surrounding context or set replaceAll\. No edits were applied\./,
    );
  });
});

describe('list_dir', () => {
  test('the example: a tree, folders with a slash, files with their size, two levels', async () => {
    const bench = await open(
      tempFolder({ 'README.md': 'hi', 'src/app.ts': 'x'.repeat(2048), 'src/ui/deep/a.tsx': 'x' }),
    );
    expect(await bench.text('list_dir')).toBe('.\nREADME.md  2B\nsrc/\n  app.ts  2K\n  ui/');
    expect(await bench.text('list_dir', { depth: 1 })).toBe('.\nREADME.md  2B\nsrc/');
    expect(await bench.text('list_dir', { depth: 3 })).toBe('.\nREADME.md  2B\nsrc/\n  app.ts  2K\n  ui/\n    deep/');
    expect(await bench.text('list_dir', { path: 'src/ui', depth: 6 })).toBe('src/ui/\ndeep/\n  a.tsx  1B');
  });

  test.each([
    [0, 'at least 1, got 0'],
    [7, 'at most 6, got 7'],
  ])('depth %i is refused', async (depth, why) => {
    expect(await (await open(tempFolder())).error('list_dir', { depth })).toContain(`field "depth" must be ${why}`);
  });

  test('honours .gitignore unless told to show ignored files', async () => {
    const bench = await open(tempFolder({ '.gitignore': 'out/\n', 'out/a': 'x', b: 'x' }));
    expect(await bench.text('list_dir')).toBe('.\n.gitignore  5B\nb  1B');
    expect(await bench.text('list_dir', { includeIgnored: true })).toBe('.\n.gitignore  5B\nb  1B\nout/\n  a  1B');
  });

  test('capped at 300 entries', async () => {
    const bench = await open(tempFolder(Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`f${at}`, '']))));
    const shown = (await bench.text('list_dir')).split('\n');
    expect([shown.length, shown.at(-1)]).toEqual([
      302,
      '... [300 entries shown, there are more. List a subdirectory or a smaller depth.]',
    ]);
  });
});

describe('glob', () => {
  test('posix paths relative to the root', async () => {
    const bench = await open(tempFolder({ 'src/a/b.ts': '', 'src/c.ts': '', 'd.ts': '', 'src/e.js': '' }));
    expect(await bench.text('glob', { pattern: 'src/**/*.ts' })).toBe('src/a/b.ts\nsrc/c.ts');
  });

  test('honours .gitignore and .shiroignore; includeIgnored lifts them', async () => {
    const bench = await open(
      tempFolder({ '.gitignore': 'a.ts\n', '.shiroignore': 'b.ts\n', 'a.ts': '', 'b.ts': '', 'c.ts': '' }),
    );
    expect(await bench.text('glob', { pattern: '*.ts' })).toBe('c.ts');
    expect(await bench.text('glob', { pattern: '*.ts', includeIgnored: true })).toBe('a.ts\nb.ts\nc.ts');
  });

  test('.git and node_modules never', async () => {
    const bench = await open(repository({ a: '', 'node_modules/m/a': '' }));
    expect(await bench.text('glob', { pattern: '**/*', includeIgnored: true })).toBe('a');
  });

  test('a nested ignore file applies only in its own folder', async () => {
    const bench = await open(tempFolder({ 'd/.gitignore': 'x\n', 'd/x': '', x: '', 'e/x': '' }));
    expect(await bench.text('glob', { pattern: '**/x' })).toBe('e/x\nx');
  });

  test('a linked folder is a folder: ignored as one, and not descended into', async () => {
    const bench = await open(tempFolder({ 'real/a.ts': '', '.gitignore': 'hidden/\n' }));
    symlinkSync('real', join(bench.root, 'link'));
    symlinkSync('..', join(bench.root, 'real/up'));
    symlinkSync('real', join(bench.root, 'hidden'));
    expect(await bench.text('glob', { pattern: '**/*.ts' })).toBe('real/a.ts');
    expect((await bench.text('glob', { pattern: '**' })).split('\n')).not.toContain('link/a.ts');
  });

  test('200 paths by default', async () => {
    const bench = await open(tempFolder(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, '']))));
    const shown = (await bench.text('glob', { pattern: '*' })).split('\n');
    expect([shown.length, shown.at(-1)]).toEqual([
      201,
      '... [200 paths shown, there are more. Narrow the pattern or raise limit.]',
    ]);
    expect((await bench.text('glob', { pattern: '*', limit: 201 })).split('\n')).toHaveLength(201);
  });
});

describe('grep', () => {
  test('path:line: text', async () => {
    const bench = await open(tempFolder({ 'src/a.ts': 'x\nfoo(1)\n', 'b.ts': 'foo\n' }));
    expect(await bench.text('grep', { pattern: 'fo+' })).toBe('b.ts:1: foo\nsrc/a.ts:2: foo(1)');
    expect(await bench.text('grep', { pattern: 'FOO', ignoreCase: true, include: 'src/**' })).toBe(
      'src/a.ts:2: foo(1)',
    );
  });

  test('ignored files only when asked, outside a repository too', async () => {
    const bench = await open(tempFolder({ '.gitignore': 'a\n', a: 'foo\n', b: 'foo\n' }));
    expect(await bench.text('grep', { pattern: 'foo' })).toBe('b:1: foo');
    expect(await bench.text('grep', { pattern: 'foo', includeIgnored: true })).toBe('a:1: foo\nb:1: foo');
  });

  test('.shiroignore counts as for glob; .git and node_modules never', async () => {
    const bench = await open(
      repository({ '.shiroignore': 'a\n', a: 'foo\n', 'd/.gitignore': 'b\n', 'd/b': 'foo\n', b: 'foo\n' }),
    );
    mkdirSync(join(bench.root, 'node_modules'));
    for (const path of ['.git/foo', 'node_modules/foo']) writeFileSync(join(bench.root, path), 'foo\n');
    expect(await bench.text('grep', { pattern: '^foo' })).toBe('b:1: foo');
    expect(await bench.text('grep', { pattern: '^foo', includeIgnored: true })).toBe('a:1: foo\nb:1: foo\nd/b:1: foo');
  });

  test('skips binaries, which are counted; nothing found is said', async () => {
    const bench = await open(tempFolder({ bin: Buffer.from('foo\0') }));
    expect(await bench.text('grep', { pattern: 'foo' })).toBe(
      'No matches.\n[1 binary file (or UTF-16 without a byte-order mark) was not searched]',
    );
  });

  test('200 hits, each line cut at 300 characters', async () => {
    const bench = await open(tempFolder({ a: 'foo\n'.repeat(201), b: `bar${'é'.repeat(400)}\n` }));
    const hits = (await bench.text('grep', { pattern: 'foo' })).split('\n');
    expect([hits.length, hits[199], hits.at(-1)]).toEqual([
      201,
      'a:200: foo',
      '... [200 hits shown, there are more. Narrow the pattern or set include.]',
    ]);
    expect(await bench.text('grep', { pattern: 'bar' })).toBe(`b:1: bar${'é'.repeat(297)}… [line cut at 300 chars]`);
  });

  test('an invalid pattern: Invalid regex', async () => {
    const bench = await open(tempFolder({ a: 'x' }));
    expect(await bench.error('grep', { pattern: '(' })).toMatch(/^invalid: Invalid regex: unclosed group/);
    expect(await bench.error('grep', { pattern: 'a(?=b)' })).toMatch(/^invalid: Invalid regex: look-around/);
    expect(await bench.error('grep', { pattern: '(a)\\1' })).toMatch(/^invalid: Invalid regex: back/);
  });
});

describe('bash', () => {
  test('a login bash in the root; exit code, stdout, stderr', async () => {
    const bench = await open(tempFolder());
    expect(
      await bench.text('bash', { command: 'pwd; shopt -q login_shell && echo login; echo err >&2; exit 3' }),
    ).toMatch(new RegExp(`^exit code: 3[^\\n]*\\nstdout:\\n${bench.root}\\nlogin\\nstderr:\\nerr$`));
  });

  test('a note if a signal killed it', async () => {
    const result = await (await open(tempFolder())).call('bash', { command: 'kill -9 $$' });
    expect(result.text).toMatch(/^exit code: 137 \(killed by SIGKILL\)/);
  });

  test('timeout in ms, at most 600,000', async () => {
    const bench = await open(tempFolder());
    const error = await bench.error('bash', { command: 'echo before; sleep 30', timeout: 400 });
    expect(error.replace(/ \((not )?sandboxed[^)]*\)/, '')).toBe(
      'timeout: The command did not finish within 400 ms and was killed with all it had started. Its effects are unknown.\nstdout:\nbefore',
    );
    expect(await bench.error('bash', { command: 'true', timeout: 600_001 })).toContain(
      'field "timeout" must be at most 600000, got 600001',
    );
  });

  test('both pipes are drained at once', async () => {
    const command = 'head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2';
    expect(await (await open(tempFolder())).text('bash', { command })).toMatch(/^exit code: 0/);
  });

  test('interrupted: the call fails, and says that the effects are unknown', async () => {
    const stop = new AbortController();
    const bench = await open(tempFolder());
    const result = await bench.app.gate.call(
      { id: '1', tool: 'bash', args: { command: 'echo printed; sleep 60' } },
      { signal: stop.signal, emit: (news) => news.type === 'output' && stop.abort() },
    );
    expect(result).toEqual({
      ok: false,
      code: 'interrupted',
      text: 'The user interrupted this command. It did not finish, so its effects are unknown.\nstdout:\nprinted',
    });
  });
});

describe('git tools', () => {
  const commits = (count: number) => `for i in $(seq ${count}); do git commit -q --allow-empty -m c$i; done`;

  test('git_status: the example', async () => {
    const script = 'echo b > src/app.ts; git add .; echo c > src/app.ts; touch new.ts';
    const bench = await open(repository({ 'src/app.ts': 'a\n' }, script));
    expect(await bench.text('git_status')).toBe(
      'On main, 2 changed:\nsrc/app.ts  (staged modified, modified)\nnew.ts  (untracked)',
    );
  });

  test.each([
    ['git_status', {}],
    ['git_diff', {}],
    ['git_log', {}],
    ['git_show', { ref: 'HEAD' }],
    ['git_blame', { path: 'a' }],
  ])('%s outside a repository', async (tool, args) => {
    const bench = await open(tempFolder({ a: 'x\n' }));
    expect(await bench.error(tool, args)).toBe(`failed: ${bench.root} is not a git repository.`);
  });

  test('git_show of an unknown ref passes on what git said', async () => {
    const bench = await open(repository({ a: '' }));
    expect(await bench.error('git_show', { ref: 'no-such-ref' })).toBe("failed: fatal: bad revision 'no-such-ref'");
  });

  test('git_log with the path `; touch pwned.txt` creates no file', async () => {
    const bench = await open(repository({ a: '' }));
    await bench.error('git_log', { path: '; touch pwned.txt' });
    expect(readdirSync(bench.root)).toEqual(['.git', 'a']);
  });

  test('git_diff: unified; staged; of a path', async () => {
    const bench = await open(repository({ a: '1\n', b: '1\n' }, 'echo 2 > a; git add a; echo 2 > b'));
    const diff = (args: string) => sh(bench.root, `git diff ${args}`).trimEnd();
    expect(await bench.text('git_diff')).toBe(diff('HEAD'));
    expect(await bench.text('git_diff', { staged: true })).toBe(diff('--cached'));
    expect(await bench.text('git_diff', { path: 'b' })).toBe(diff('-- b'));
  });

  test('git_log: hash, date, author, subject; newest first; 15 by default, 40 at most', async () => {
    const bench = await open(repository({ a: '' }, commits(50)));
    const lines = (await bench.text('git_log')).split('\n');
    expect([lines.length, lines[0]]).toEqual([
      15,
      `${sh(bench.root, 'git rev-parse --short HEAD').trim()} 2026-01-02 Dev: c50`,
    ]);
    expect((await bench.text('git_log', { limit: 100 })).split('\n')).toHaveLength(40);
    expect(await bench.text('git_log', { path: 'a' })).toMatch(/^\w+ 2026-01-02 Dev: first$/);
  });

  test('git_show: message, author, diff; of a path', async () => {
    const bench = await open(repository({ a: '1\n', b: '1\n' }, 'echo 2 | tee a b; git commit -qam second'));
    const head = `commit ${sh(bench.root, 'git rev-parse HEAD').trim()}\nAuthor: Dev <dev@example.test>\nDate:   2026-01-02T03:04:05Z\n\n    second\n`;
    const diff = (args = '') => sh(bench.root, `git diff HEAD~1 HEAD ${args}`).trimEnd();
    expect((await bench.text('git_show', { ref: 'HEAD' })).replace('+00:00', 'Z')).toBe(`${head}\n${diff()}`);
    expect((await bench.text('git_show', { ref: 'HEAD', path: 'b' })).replace('+00:00', 'Z')).toBe(
      `${head}\n${diff('-- b')}`,
    );
  });

  test('git_blame: the whole file; 40 lines from startLine; or to endLine', async () => {
    const bench = await open(repository({ a: 'x\n'.repeat(100) }));
    const count = async (args: object) => (await bench.text('git_blame', { path: 'a', ...args })).split('\n').length;
    expect(await count({})).toBe(100);
    expect(await count({ startLine: 11 })).toBe(40);
    expect(await count({ startLine: 11, endLine: 12 })).toBe(2);
    expect(await bench.text('git_blame', { path: 'a', startLine: 100 })).toMatch(/^\w{8} 2026-01-02 Dev 100: x$/);
  });
});

describe('path safety', () => {
  test.each(['../../etc/passwd', 'a/../../secret', '/etc/passwd'])('%s is refused', async (path) => {
    const bench = await open(tempFolder());
    const outside = `outside: path is outside the workspace: ${path}`;
    expect(await bench.error('read_file', { path })).toBe(outside);
    expect(await bench.error('write_file', { path, content: '' })).toBe(outside);
    expect(await bench.error('edit_file', { path, oldString: 'a', newString: 'b' })).toBe(outside);
    expect(await bench.error('list_dir', { path })).toBe(outside);
  });

  test('absolute inside the root is fine', async () => {
    const bench = await open(tempFolder({ a: 'x\n' }));
    expect(await bench.text('read_file', { path: join(bench.root, 'a') })).toBe('1: x');
  });
});

describe('output caps: 30,000 characters a result, with a note of how much was cut', () => {
  const long = (at: number) => `${'n'.repeat(200)}${at}`;
  const note = /\n\.\.\. \[truncated [\d,]+ chars\]/;

  test('every tool', async () => {
    const root = repository({ a: '' });
    mkdirSync(join(root, 'd'));
    for (let at = 0; at < 250; at += 1) writeFileSync(join(root, 'd', long(at)), `needle${'x'.repeat(400)}\n`);
    writeFileSync(join(root, 'big.txt'), `${'y'.repeat(99)}\n`.repeat(1900));
    sh(root, `git add -A; git commit -qm '${'m'.repeat(50_000)}'; git rm -q --cached -r .`);
    const bench = await open(root);
    for (const [tool, args] of [
      ['read_file', { path: 'big.txt' }],
      ['read_many_files', { files: [{ path: 'big.txt' }, { path: 'big.txt' }] }],
      ['glob', { pattern: 'd/*' }],
      ['grep', { pattern: 'needle' }],
      ['list_dir', { path: 'd' }],
      ['bash', { command: 'cat big.txt' }],
      ['git_diff', { staged: true }],
      ['git_log', {}],
      ['git_show', { ref: 'HEAD' }],
    ] as const) {
      const shown = await bench.text(tool, args);
      expect([tool, shown.length <= 30_100, note.test(shown)]).toEqual([tool, true, true]);
    }
    rmSync(join(root, 'd'), { recursive: true });
  });
});
