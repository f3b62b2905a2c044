import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nativeGrep } from '../../src/tools/grep-native.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

describe.each(engines)('grep of native (%s)', (_, engine) => {
  const tool = nativeGrep({ engine: () => engine, ignoreFiles: ['.benchdogignore'] });
  const run = (root: string, args: object) => callTool(tool, args, { root });
  const text = async (root: string, args: object) => (await run(root, args)).text;

  test('several paths and globs, excluding ones too', async () => {
    const root = tempFolder({ 'a/x.ts': 'n', 'a/x.test.ts': 'n', 'b/y.js': 'n', 'c/z.ts': 'n', 'b/y.md': 'n' });
    expect(await text(root, { pattern: 'n', paths: ['a', 'b/y.js'] })).toBe(
      'a/x.test.ts:1: n\na/x.ts:1: n\nb/y.js:1: n',
    );
    expect(await text(root, { pattern: 'n', include: ['*.ts', '*.js', '!*.test.*'] })).toBe(
      'a/x.ts:1: n\nb/y.js:1: n\nc/z.ts:1: n',
    );
    expect(await text(root, { pattern: 'n', include: '!**/*.ts' })).toBe('b/y.js:1: n\nb/y.md:1: n');
  });

  test('file types', async () => {
    const root = tempFolder({ 'x.ts': 'n', 'x.tsx': 'n', 'x.py': 'n' });
    expect(await text(root, { pattern: 'n', type: 'ts' })).toBe('x.ts:1: n\nx.tsx:1: n');
    expect(await text(root, { pattern: 'n', type: 'ts', include: '*.tsx' })).toBe('x.tsx:1: n');
    expect(await run(root, { pattern: 'n', type: 'klingon' })).toMatchObject({
      code: 'invalid',
      text: 'Unknown file type "klingon". Use a name such as ts, js, py, rust, go or md, or a glob.',
    });
  });

  test('a match at the end of a line alone, whether or not a newline stands there', async () => {
    const root = tempFolder({ bare: 'hé', whole: 'hé\n', dos: 'a\r\nb\r\n', digits: '5' });
    const every = 'digits:1: 5\ndos:1: a\ndos:2: b';
    for (const pattern of ['$', '\\b$', '(?m)$', '5|é|$']) {
      const found = await text(root, { pattern });
      expect([...new Set(found.split('\n'))].filter((line) => !/^\w+:\d: /.test(line))).toEqual([]);
      expect(found).toContain('bare:1: hé');
    }
    expect(await text(root, { pattern: '$' })).toBe(`bare:1: hé\n${every}\nwhole:1: hé`);
    expect(await text(root, { pattern: '\\z', multiline: true })).toBe('bare:1: hé\ndigits:1: 5');
    expect(await text(root, { pattern: '\\B', paths: ['dos'] })).not.toContain('could not be read');
  });

  test('a pattern for NUL bytes is an invalid one', async () => {
    expect(await run(tempFolder({ a: 'x' }), { pattern: '\\x00' })).toMatchObject({
      code: 'invalid',
      text: 'Invalid regex: a NUL byte is in no text, and binary files are not searched.',
    });
  });

  test('files and counts', async () => {
    const root = tempFolder({ 'a.txt': 'n\nn\n', 'b.txt': 'x\nn', 'c.txt': 'x' });
    expect(await text(root, { pattern: 'n', output: 'files' })).toBe('a.txt\nb.txt');
    expect(await text(root, { pattern: 'n', output: 'count' })).toBe('a.txt: 2\nb.txt: 1\n[3 in 2 files]');
    expect(await text(root, { pattern: 'q', output: 'count' })).toBe('No matches.');
    expect(await text(root, { pattern: 'n', output: 'count', include: 'b.txt' })).toBe('b.txt: 1\n[1 in 1 file]');
    const many = tempFolder(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, 'n\n'])));
    expect((await text(many, { pattern: 'n', output: 'count' })).split('\n').slice(-2)).toEqual([
      '... [200 files shown, there are more. Narrow the pattern, paths or include.]',
      '[201 in 201 files]',
    ]);
  });

  test('paths that lie in one another are searched once', async () => {
    const root = tempFolder({ 'src/a': 'n', 'src/b/c': 'n', 'src-2/d': 'n', 'node_modules/e/f': 'n' });
    expect(await text(root, { pattern: 'n', paths: ['src/a', 'src', 'src/b', './src', 'src'] })).toBe(
      'src/a:1: n\nsrc/b/c:1: n',
    );
    expect(await text(root, { pattern: 'n', paths: ['src', 'src-2'] })).toBe('src-2/d:1: n\nsrc/a:1: n\nsrc/b/c:1: n');
    expect(await text(root, { pattern: 'n', paths: ['.', 'node_modules/e'], output: 'files' })).toBe(
      'node_modules/e/f\nsrc-2/d\nsrc/a\nsrc/b/c',
    );
  });

  test('include takes absolute globs, and says which it can not take', async () => {
    const root = tempFolder({ 'a/x.ts': 'n', 'b/x.ts': 'n' });
    expect(await text(root, { pattern: 'n', include: `${root}/a/*.ts` })).toBe('a/x.ts:1: n');
    expect(await text(root, { pattern: 'n', include: ['*.ts', `!${root}/a/**`] })).toBe('b/x.ts:1: n');
    expect(await text(root, { pattern: 'n', include: `${root}/x.ts` })).toBe('No matches.');
    expect(await run(root, { pattern: 'n', include: '/elsewhere/*.ts' })).toMatchObject({
      code: 'outside',
      text: 'path is outside the workspace: /elsewhere/*.ts',
    });
    expect(await run(root, { pattern: 'n', include: ['a/*', ''] })).toMatchObject({
      code: 'invalid',
      text: 'include is empty: leave it out, or send a glob such as "*.ts".',
    });
  });

  test('\\n of a pattern across lines stands for either line end', async () => {
    const root = tempFolder({ dos: 'a\r\nb\r\n\r\nc\r\n', unix: 'a\nb\n\nc\n' });
    expect(await text(root, { pattern: 'a\\nb', multiline: true })).toBe('dos:1: a\ndos:2: b\nunix:1: a\nunix:2: b');
    expect(await text(root, { pattern: 'a\nb', multiline: true, output: 'files' })).toBe('dos\nunix');
    expect(await text(root, { pattern: 'b\\n{2}c', multiline: true, output: 'files' })).toBe('dos\nunix');
    expect(await text(root, { pattern: '[^\\n]\\x0a[b\\n]', multiline: true, output: 'files' })).toBe('dos\nunix');
    expect(await text(root, { pattern: '(?x) a \n \\n b', multiline: true, output: 'files' })).toBe('dos\nunix');
    expect((await run(root, { pattern: 'a\\nb' })).text).toBe(
      'Invalid regex: the literal "\\n" is not allowed in a regex. Patterns are matched line by line: search for a part that lies on one line. Or set multiline.',
    );
  });

  test('a binary file is told of when it is named, or gave hits before its first NUL', async () => {
    const late = Buffer.from(`hit\n${'x\n'.repeat(200_000)}\0hit\n`);
    const root = tempFolder({ 'd/bin': Buffer.from('hit\0hit\n'), late, 'text.txt': 'hit\n' });
    const unsearched = '[1 binary file (or UTF-16 without a byte-order mark) was not searched]';
    const note = (name: string) => `[1 binary file not searched past the first NUL byte: ${name}]`;
    expect(await text(root, { pattern: 'hit', paths: ['d/bin'] })).toBe(`No matches.\n${note('d/bin')}`);
    expect(await text(root, { pattern: 'hit', paths: ['d'] })).toBe(`No matches.\n${unsearched}`);
    expect(await text(root, { pattern: 'hit' })).toBe(`late:1: hit\ntext.txt:1: hit\n${note('late')}\n${unsearched}`);
  });

  test('UTF-16 without a mark is searched when it is named', async () => {
    const root = tempFolder({ le: Buffer.from('one\r\nhít two\r\n', 'utf16le') });
    expect(await text(root, { pattern: 'h.t', paths: ['le'] })).toBe('le:2: hít two');
  });

  test('context lines, groups apart', async () => {
    const root = tempFolder({ 'a.txt': '1\n2\nhit\n4\n5\n6\n7\nhit\r\nhit\n10', 'b.txt': 'hit' });
    expect(await text(root, { pattern: 'hit', context: 1 })).toBe(
      [
        'a.txt-2- 2',
        'a.txt:3: hit',
        'a.txt-4- 4',
        '--',
        'a.txt-7- 7',
        'a.txt:8: hit',
        'a.txt:9: hit',
        'a.txt-10- 10',
        '--',
        'b.txt:1: hit',
      ].join('\n'),
    );
    const many = tempFolder({ 'a.txt': `${'hit\n'.repeat(199)}-\n-\nhit\n-\n-\n-\nhit\n` });
    expect((await text(many, { pattern: 'hit', context: 1 })).split('\n').slice(-5)).toEqual([
      'a.txt-200- -',
      'a.txt-201- -',
      'a.txt:202: hit',
      'a.txt-203- -',
      '... [200 hits shown, there are more. Narrow the pattern, paths or include.]',
    ]);
  });

  test('multi-line patterns', async () => {
    const root = tempFolder({ 'a.txt': 'x\nfoo(\n  1,\n)\ny\n' });
    expect(await text(root, { pattern: 'foo\\(.*?\\)', multiline: true })).toBe(
      'a.txt:2: foo(\na.txt:3:   1,\na.txt:4: )',
    );
    expect(await text(root, { pattern: 'foo\\($\\n', multiline: true })).toBe('a.txt:2: foo(');
  });

  test('newest first', async () => {
    const root = tempFolder({ 'a.txt': 'n', 'b.txt': 'n', 'c.txt': 'n' });
    for (const [at, name] of ['b.txt', 'c.txt', 'a.txt'].entries()) utimesSync(join(root, name), 1000 - at, 1000 - at);
    expect(await text(root, { pattern: 'n', sort: 'modified' })).toBe('b.txt:1: n\nc.txt:1: n\na.txt:1: n');
    expect(await text(root, { pattern: 'n', sort: 'modified', output: 'files' })).toBe('b.txt\nc.txt\na.txt');
    expect(await text(root, { pattern: 'n', sort: 'modified', output: 'count' })).toBe(
      'b.txt: 1\nc.txt: 1\na.txt: 1\n[3 in 3 files]',
    );
  });

  test('an ignored path is named, a missing one refused', async () => {
    const root = tempFolder({ '.gitignore': 'dist', 'dist/a.txt': 'n' });
    expect(await text(root, { pattern: 'n', paths: ['dist'] })).toBe(
      'No matches.\n[dist is ignored; set includeIgnored to search it]',
    );
    expect(await text(root, { pattern: 'n', paths: ['dist'], includeIgnored: true })).toBe('dist/a.txt:1: n');
    expect(await run(root, { pattern: 'n', paths: ['nope'] })).toMatchObject({
      code: 'missing',
      text: 'No such file or directory: nope',
    });
    expect((await run(root, { pattern: 'n', paths: ['../x'] })).code).toBe('outside');
  });
});

test('the schema stays small', () => {
  const { name, description, input } = nativeGrep({ ignoreFiles: [] });
  expect(Buffer.byteLength(JSON.stringify({ name, description, schema: input }))).toBeLessThanOrEqual(950);
});
