import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { searchCode } from '../../src/tools/search-code.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

describe.each(engines)('search_code (%s)', (_, engine) => {
  const tool = searchCode({ engine: () => engine });
  const run = (root: string, args: object) => callTool(tool, args, { root, pathStyle: 'rooted' });
  const text = async (root: string, args: object) => (await run(root, args)).text;

  test('the query is literal, rows are `path:line:text`, by path and line', async () => {
    const root = tempFolder({ 'b.txt': 'a.b\naxb\n', 'a/c.txt': '  a.b (x)\n' });
    expect(await text(root, { query: 'a.b' })).toBe('a/c.txt:1:  a.b (x)\nb.txt:1:a.b');
    expect(await text(root, { query: '(x)' })).toBe('a/c.txt:1:  a.b (x)');
    expect(await text(root, { query: 'nope' })).toBe('No matches found');
  });

  test('path narrows to a directory or a file, file_pattern to names', async () => {
    const root = tempFolder({ 'a/x.go': 'n', 'a/x.ts': 'n', 'b/x.go': 'n', 'app/[id]/p.go': 'n' });
    expect(await text(root, { query: 'n', path: 'a' })).toBe('a/x.go:1:n\na/x.ts:1:n');
    expect(await text(root, { query: 'n', path: '/a' })).toBe('a/x.go:1:n\na/x.ts:1:n');
    expect(await text(root, { query: 'n', path: 'b/x.go' })).toBe('b/x.go:1:n');
    expect(await text(root, { query: 'n', path: 'app/[id]' })).toBe('app/[id]/p.go:1:n');
    expect(await text(root, { query: 'n', file_pattern: '*.ts' })).toBe('a/x.ts:1:n');
  });

  test('queries that begin with a dash are no flags', async () => {
    const root = tempFolder({ 'hook.sh': '#!/bin/sh\n', 'n.md': 'see --version and --pre=./hook.sh\n' });
    chmodSync(join(root, 'hook.sh'), 0o755);
    expect(await text(root, { query: '--version' })).toBe('n.md:1:see --version and --pre=./hook.sh');
    expect(await text(root, { query: '--pre=./hook.sh' })).toBe('n.md:1:see --version and --pre=./hook.sh');
  });

  test('binary files and .git are skipped, ignored files are not', async () => {
    const root = tempFolder({
      '.gitignore': 'dist\n',
      'dist/o.js': 'needle',
      '.git/config': 'needle',
      'node_modules/m.js': 'needle',
      'a.bin': Buffer.from('needle\0\n'),
    });
    expect(await text(root, { query: 'needle' })).toBe('dist/o.js:1:needle\nnode_modules/m.js:1:needle');
    expect(await text(root, { query: 'needle', path: 'a.bin' })).toBe(
      'No matches found\n[1 binary file not searched past the first NUL byte: a.bin]',
    );
  });

  test('output is capped at 32 KB', async () => {
    const root = tempFolder({ 'a.txt': `${'needle '.repeat(10)}\n`.repeat(2000) });
    const result = await text(root, { query: 'needle' });
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(32 * 1024 + 45);
    expect(result.endsWith('\n... output truncated, narrow your search.')).toBe(true);
  });

  test('wrong arguments and places', async () => {
    const root = tempFolder({ 'a.txt': 'x' });
    expect(await run(root, { query: ' \t' })).toMatchObject({ code: 'invalid', text: 'query is required' });
    expect(await run(root, { query: 'a\nb' })).toMatchObject({
      code: 'invalid',
      text: 'query holds a line break, but lines are searched one by one. Search for one line of it.',
    });
    expect(await run(root, { query: 'x', path: 'nope' })).toMatchObject({
      code: 'missing',
      text: 'grep failed: nope: No such file or directory',
    });
    expect((await run(root, { query: 'x', path: '../..' })).code).toBe('outside');
  });
});
