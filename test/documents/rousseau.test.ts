import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goDuration, rousseauBash } from '../../src/tools/bash.ts';
import { benchOn } from '../support/dialect.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const open = (root: string, options = {}) => benchOn('rousseau', root, options);

describe('what ships', () => {
  test.each([
    ['read', ['path'], ['path']],
    ['write', ['path', 'content'], ['path', 'content']],
    ['edit', ['path', 'old_string', 'new_string'], ['path', 'old_string', 'new_string']],
    ['grep', ['pattern', 'path', 'include', 'ignore_case'], ['pattern', 'path']],
    ['bash', ['command'], ['command']],
  ])('%s has the documented fields', async (name, fields, required) => {
    const { app } = await open(tempFolder());
    const { input } = app.gate.definitions().find((tool) => tool.name === name)!;
    expect([Object.keys(input.properties as object), input.required]).toEqual([fields, required]);
  });

  test('five tools', async () => {
    const { app } = await open(tempFolder());
    expect(app.gate.definitions().map(({ name }) => name)).toEqual(['read', 'write', 'edit', 'grep', 'bash']);
  });
});

describe('paths', () => {
  const calls: [string, object][] = [
    ['read', {}],
    ['write', { content: '' }],
    ['edit', { old_string: 'a', new_string: 'b' }],
    ['grep', { pattern: 'x' }],
  ];

  test.each(calls)('%s: a relative path is rejected', async (tool, more) => {
    const bench = await open(tempFolder());
    expect(await bench.error(tool, { ...more, path: 'a.txt' })).toBe(
      `invalid: ${tool}: path must be absolute, got "a.txt". Put the workspace root in front: ${bench.root}/a.txt`,
    );
  });

  test.each(calls)('%s: a missing or empty path is an error', async (tool, more) => {
    const bench = await open(tempFolder());
    expect(await bench.error(tool, more)).toContain(`invalid: invalid ${tool} arguments: field "path" is required`);
    expect(await bench.error(tool, { ...more, path: '' })).toMatch(new RegExp(`^invalid: ${tool}: path is required`));
  });

  test.each(calls)('%s: outside the workspace is refused', async (tool, more) => {
    const bench = await open(tempFolder());
    expect(await bench.error(tool, { ...more, path: '/etc/x' })).toBe(
      `outside: ${tool}: path is outside the workspace: /etc/x`,
    );
  });

  test('with the root / everything is inside', async () => {
    const folder = tempFolder({ 'a.txt': 'one\n' });
    const path = join(folder, 'a.txt');
    const bench = await open('/');
    expect(await bench.text('read', { path })).toBe('one\n');
    expect(await bench.text('edit', { path, old_string: 'one', new_string: 'two' })).toBe(
      `edited ${path} (1 replacement)`,
    );
    expect(await bench.text('grep', { path: folder, pattern: 'two' })).toBe(`${path}:1: two`);
    expect(await bench.text('write', { path: join(folder, 'new/b.txt'), content: 'x' })).toBe(
      `wrote 1 bytes to ${folder}/new/b.txt`,
    );
    expect(await bench.error('read', { path: 'etc/hosts' })).toMatch(/^invalid: read: path must be absolute/);
  });
});

describe('read', () => {
  test('the contents verbatim', async () => {
    const bench = await open(tempFolder({ a: '\ufeffé\r\n\tx' }));
    expect(await bench.text('read', { path: join(bench.root, 'a') })).toBe('\ufeffé\r\n\tx');
  });

  test('a NUL in the first 512 bytes: rejected; behind them: not looked for', async () => {
    const bench = await open(
      tempFolder({
        last: Buffer.concat([Buffer.alloc(511, 'a'), Buffer.from([0])]),
        behind: Buffer.concat([Buffer.alloc(512, 'a'), Buffer.from([0])]),
      }),
    );
    expect(await bench.error('read', { path: join(bench.root, 'last') })).toBe(
      `conflict: read: ${bench.root}/last: NUL byte in the first 512 bytes (not a text file)`,
    );
    expect(await bench.text('read', { path: join(bench.root, 'behind') })).toBe(`${'a'.repeat(512)}\0`);
  });

  test('unreadable: missing, a directory, a pipe', async () => {
    const bench = await open(tempFolder());
    execFileSync('mkfifo', [join(bench.root, 'pipe')]);
    expect(await bench.error('read', { path: `${bench.root}/gone` })).toBe(
      `missing: read: open ${bench.root}/gone: no such file or directory`,
    );
    expect(await bench.error('read', { path: bench.root })).toBe(`conflict: read: read ${bench.root}: is a directory`);
    expect(await bench.error('read', { path: `${bench.root}/pipe` })).toMatch(
      /^conflict: read: path is not a regular file: /,
    );
  });
});

describe('write', () => {
  test('replaces, does not append; makes parents; says the bytes', async () => {
    const bench = await open(tempFolder());
    const path = join(bench.root, 'x/y/z.txt');
    expect(await bench.text('write', { path, content: 'first\n' })).toBe(`wrote 6 bytes to ${path}`);
    expect(await bench.text('write', { path, content: 'é' })).toBe(`wrote 2 bytes to ${path}`);
    expect(readFileSync(path, 'utf8')).toBe('é');
  });

  test('files 0644, folders 0755', async () => {
    const bench = await open(tempFolder());
    await bench.text('write', { path: join(bench.root, 'x/z.txt'), content: '' });
    const mode = (name: string) => statSync(join(bench.root, name)).mode & 0o777;
    expect([mode('x'), mode('x/z.txt')]).toEqual([0o755, 0o644]);
  });

  test('a directory, or below a file: an error', async () => {
    const bench = await open(tempFolder({ a: 'x' }));
    expect(await bench.error('write', { path: bench.root, content: '' })).toBe(
      `conflict: write: open ${bench.root}: is a directory`,
    );
    expect(await bench.error('write', { path: `${bench.root}/a/b`, content: '' })).toBe(
      'conflict: a is a file, so nothing can be created below it. Nothing was changed.',
    );
  });
});

describe('edit', () => {
  const edit = async (content: string, old_string: string, new_string = 'new') => {
    const bench = await open(tempFolder({ foo: content }));
    const path = join(bench.root, 'foo');
    const result = await bench.call('edit', { path, old_string, new_string });
    return { result, path, after: readFileSync(path, 'utf8') };
  };

  test('exactly one occurrence is replaced, whitespace kept', async () => {
    const { result, path, after } = await edit('\t\told  \r\n', 'old');
    expect(result).toMatchObject({ ok: true, text: `edited ${path} (1 replacement)` });
    expect(after).toBe('\t\tnew  \r\n');
  });

  test('none: not found in the path', async () => {
    const { result, path } = await edit('a\n', 'zzz');
    expect(result.text.split('\n')[0]).toBe(`edit: old_string not found in ${path}`);
  });

  test('two or more: not unique, with the wish for more context', async () => {
    const { result, path, after } = await edit('a\na\n', 'a');
    expect(result).toMatchObject({ ok: false, code: 'conflict' });
    expect(result.text.split('\n')[0]).toBe(
      `edit: old_string is not unique in ${path}: it appears 2 times. Add surrounding context.`,
    );
    expect(after).toBe('a\na\n');
  });

  test('identical strings are rejected', async () => {
    expect((await edit('a\n', 'a', 'a')).result).toMatchObject({
      code: 'invalid',
      text: 'edit: old_string and new_string are identical',
    });
  });

  test('a missing old_string is an error', async () => {
    expect((await edit('a\n', '')).result).toMatchObject({ code: 'invalid', text: 'edit: old_string is required' });
    const bench = await open(tempFolder());
    expect(await bench.error('edit', { path: bench.root, new_string: '' })).toContain('field "old_string" is required');
  });

  test('a missing file and a directory', async () => {
    const bench = await open(tempFolder());
    const args = { old_string: 'a', new_string: 'b' };
    expect(await bench.error('edit', { path: `${bench.root}/gone`, ...args })).toBe(
      `missing: edit: open ${bench.root}/gone: no such file or directory`,
    );
    expect(await bench.error('edit', { path: bench.root, ...args })).toBe(
      `conflict: edit: read ${bench.root}: is a directory`,
    );
  });
});

describe('grep', () => {
  test('<path>:<line>: <matching-line>', async () => {
    const bench = await open(tempFolder({ 'a.go': 'x\n\tfunc A() {\n', 'd/b.go': 'func b\n' }));
    const args = { path: bench.root, pattern: 'func [A-Z]' };
    expect(await bench.text('grep', args)).toBe(`${bench.root}/a.go:2: \tfunc A() {`);
    expect(await bench.text('grep', { ...args, ignore_case: true })).toBe(
      `${bench.root}/a.go:2: \tfunc A() {\n${bench.root}/d/b.go:1: func b`,
    );
  });

  test('include is applied to the base name', async () => {
    const bench = await open(tempFolder({ 'd/a.go': 'x', 'd/a.ts': 'x' }));
    expect(await bench.text('grep', { path: bench.root, pattern: 'x', include: '*.go' })).toBe(
      `${bench.root}/d/a.go:1: x`,
    );
  });

  test.each(['.git', 'node_modules', 'vendor', '.venv', '__pycache__', 'dist', 'build'])('skips %s', async (name) => {
    const bench = await open(tempFolder({ [`d/${name}/a`]: 'x' }));
    expect(await bench.text('grep', { path: bench.root, pattern: 'x' })).toBe('no matches');
  });

  test('skips files over 4 MiB and binaries', async () => {
    const size = 4 * 1024 * 1024;
    const bench = await open(
      tempFolder({
        exact: `needle\n${'x'.repeat(size - 7)}`,
        over: `needle\n${'x'.repeat(size - 6)}`,
        bin: Buffer.from('needle\0'),
      }),
    );
    expect(await bench.text('grep', { path: bench.root, pattern: 'needle' })).toBe(`${bench.root}/exact:1: needle`);
  });

  test('200 matches, the cut told inline', async () => {
    const bench = await open(tempFolder({ a: 'x\n'.repeat(201) }));
    const rows = (await bench.text('grep', { path: bench.root, pattern: 'x' })).split('\n');
    expect([rows.length, rows[199], rows[200]]).toEqual([
      201,
      `${bench.root}/a:200: x`,
      '... (truncated at 200 matches; narrow pattern, path or include)',
    ]);
  });

  test('no matches', async () => {
    const bench = await open(tempFolder({ a: 'x' }));
    expect(await bench.text('grep', { path: bench.root, pattern: 'y' })).toBe('no matches');
  });

  test('errors: pattern, regex, look-around, include', async () => {
    const bench = await open(tempFolder({ a: 'x' }));
    const error = (args: object) => bench.error('grep', { path: bench.root, ...args });
    expect(await error({})).toContain('field "pattern" is required');
    expect(await error({ pattern: '' })).toContain('pattern is required');
    expect(await error({ pattern: '(' })).toBe(
      'invalid: grep: Invalid regex: unclosed group. Escape a literal parenthesis as \\(.',
    );
    expect(await error({ pattern: 'a(?!b)' })).toMatch(/^invalid: grep: Invalid regex: look-around/);
    expect(await error({ pattern: '(a)\\1' })).toMatch(/^invalid: grep: Invalid regex: back/);
    expect(await error({ pattern: 'x', include: '[' })).toMatch(/^invalid: grep: invalid include glob "\["/);
  });
});

describe('bash', () => {
  test('/bin/sh -c, stdout and stderr combined in order', async () => {
    const bench = await open(tempFolder());
    expect(await bench.text('bash', { command: 'echo a; echo b >&2; echo c; echo "$0"' })).toMatch(
      /^a\nb\nc\n(\/bin\/)?sh\n$/,
    );
    expect(await bench.text('bash', { command: 'true' })).toBe('');
  });

  test('a non-zero exit is an error that wraps the status and carries the output', async () => {
    const bench = await open(tempFolder());
    expect(await bench.error('bash', { command: 'echo out; exit 7' })).toBe('failed: bash: exit status 7\nout\n');
  });

  test('60 seconds by default, told as Go tells them', async () => {
    const { app } = await open(tempFolder());
    expect(goDuration(60_000)).toBe('1m0s');
    expect(app.gate.definitions().at(-1)!.description).toContain('killed after 1m0s');
  });

  test('a timeout is an error with the output before the deadline; the limit is set where it is made', async () => {
    const result = await callTool(
      rousseauBash({ timeoutMs: 400 }),
      { command: 'echo before; sleep 30' },
      { root: tempFolder(), pathStyle: 'absolute' },
    );
    expect(result).toMatchObject({ code: 'timeout', text: 'bash: timed out after 400ms\nbefore\n' });
  });
});

describe('the approver', () => {
  test('a denial goes the way of every tool error', async () => {
    const bench = await open(tempFolder(), {
      approve: 'ask',
      settings: { approver: { mode: 'deny_all', reason: 'unattended' } },
    });
    const error = await bench.error('bash', { command: 'touch ran' });
    expect(error).toMatch(/^denied: /);
    expect(error).toContain('unattended');
    expect(existsSync(join(bench.root, 'ran'))).toBe(false);
  });

  test('pattern: deny rows, then allow rows, then the default', async () => {
    const approver = {
      mode: 'pattern',
      default: 'deny',
      deny: [{ tool: 'bash', match: 'push' }],
      allow: [
        { tool: 'bash', match: '^git ' },
        { tool: 'read', match: '\\.txt$' },
      ],
    };
    const bench = await open(tempFolder({ 'a.txt': 'x', 'a.md': 'x' }), { approve: 'ask', settings: { approver } });
    expect(await bench.text('bash', { command: 'git --version' })).toMatch(/^git version/);
    expect(await bench.error('bash', { command: 'git push' })).toMatch(/^denied: /);
    expect(await bench.error('bash', { command: 'ls' })).toMatch(/^denied: /);
    expect(await bench.text('read', { path: `${bench.root}/a.txt` })).toBe('x');
    expect(await bench.error('read', { path: `${bench.root}/a.md` })).toMatch(/^denied: /);
  });
});
