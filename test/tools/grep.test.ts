import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SearchEngine } from '../../src/process/rg-engine.ts';
import { shiroGrep } from '../../src/tools/grep.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const grep = (engine: SearchEngine) =>
  shiroGrep({ engine: () => engine, ignoreFiles: ['.shiroignore', '.benchdogignore'] });

describe.each(engines)('grep (%s)', (_, engine) => {
  const run = (root: string, args: object, visible?: (path: { rel: string }) => boolean) =>
    callTool(grep(engine), args, { root, ...(visible && { visible }) });
  const text = async (root: string, args: object) => (await run(root, args)).text;

  test('rows are `path:line: text`, by path and line', async () => {
    const root = tempFolder({ 'b.ts': 'x\nneedle 2\n', 'a/c.ts': 'needle 1', 'a.ts': 'needle\n\nneedle\n' });
    expect(await text(root, { pattern: 'needle' })).toBe(
      'a.ts:1: needle\na.ts:3: needle\na/c.ts:1: needle 1\nb.ts:2: needle 2',
    );
  });

  test('nothing found says so', async () => {
    expect(await text(tempFolder({ 'a.ts': 'x' }), { pattern: 'needle' })).toBe('No matches.');
  });

  test('include limits the search; a name pattern counts at any depth, brackets also mean themselves', async () => {
    const root = tempFolder({ 'a.ts': 'n', 'd/b.ts': 'n', 'd/b.js': 'n', 'app/[id]/p.tsx': 'n' });
    expect(await text(root, { pattern: 'n', include: '*.ts' })).toBe('a.ts:1: n\nd/b.ts:1: n');
    expect(await text(root, { pattern: 'n', include: 'd/**' })).toBe('d/b.js:1: n\nd/b.ts:1: n');
    expect(await text(root, { pattern: 'n', include: '*.{js,tsx}' })).toBe('app/[id]/p.tsx:1: n\nd/b.js:1: n');
    expect(await text(root, { pattern: 'n', include: 'app/[id]/**' })).toBe('app/[id]/p.tsx:1: n');
  });

  test('ignoreCase', async () => {
    const root = tempFolder({ 'a.ts': 'Needle\nÉTÉ\n' });
    expect(await text(root, { pattern: 'needle' })).toBe('No matches.');
    expect(await text(root, { pattern: 'needle', ignoreCase: true })).toBe('a.ts:1: Needle');
    expect(await text(root, { pattern: 'été', ignoreCase: true })).toBe('a.ts:2: ÉTÉ');
  });

  test('what git ignores is searched only when asked; .git and node_modules never; own ignore files count', async () => {
    const root = tempFolder({
      '.gitignore': 'dist/\n*.log\n!keep.log\n',
      '.shiroignore': 'docs\n',
      'sub/.benchdogignore': 'x.ts\n',
      'dist/o.js': 'needle',
      'a.log': 'needle',
      'keep.log': 'needle',
      'docs/d.md': 'needle',
      'sub/x.ts': 'needle',
      'x.ts': 'needle',
      'node_modules/m/i.js': 'needle',
      '.git/config': 'needle',
      '.hidden': 'needle',
    });
    expect(await text(root, { pattern: 'needle' })).toBe('.hidden:1: needle\nkeep.log:1: needle\nx.ts:1: needle');
    expect(await text(root, { pattern: 'needle', includeIgnored: true })).toBe(
      ['.hidden', 'a.log', 'dist/o.js', 'docs/d.md', 'keep.log', 'sub/x.ts', 'x.ts']
        .map((p) => `${p}:1: needle`)
        .join('\n'),
    );
  });

  test('folders to stay out of may have any name', async () => {
    const names = ['!x', '^x', '[x]', 'x ', '{x}', 'x*', '#x', 'x!'];
    const files = names.flatMap((one) => [
      [`${one}/a`, 'needle'],
      [`in/${one}/a`, 'needle'],
    ]);
    const root = tempFolder({ ...Object.fromEntries(files), '.gitignore': '/?x*\n/x?\n/\\{x}\n', 'n x ': 'needle' });
    expect((await text(root, { pattern: 'needle' })).split('\n')).toEqual(
      [...names.map((one) => `in/${one}/a:1: needle`), 'n x :1: needle'].sort(),
    );
    expect(await text(root, { pattern: 'needle', include: '*x ' })).toBe('n x :1: needle');
  });

  test('include may be an absolute glob', async () => {
    const root = tempFolder({ 'a/x.ts': 'needle', 'b/x.ts': 'needle' });
    expect(await text(root, { pattern: 'needle', include: `${root}/a/*.ts` })).toBe('a/x.ts:1: needle');
  });

  test('tracked files are searched whatever the rules say', async () => {
    const root = tempFolder({ '.gitignore': 'dist\n', 'dist/t.js': 'needle', 'dist/u.js': 'needle' });
    execFileSync('git', ['init', '-q', '.'], { cwd: root });
    execFileSync('git', ['add', '-f', 'dist/t.js'], { cwd: root });
    expect(await text(root, { pattern: 'needle' })).toBe('dist/t.js:1: needle');
  });

  test('caps at 200 hits over all files and says how to narrow', async () => {
    const root = tempFolder({ 'a.txt': 'needle\n'.repeat(150), 'b.txt': 'needle\n'.repeat(1000) });
    const lines = (await text(root, { pattern: 'needle' })).split('\n');
    expect(lines).toHaveLength(201);
    expect(lines[200]).toBe('... [200 hits shown, there are more. Narrow the pattern or set include.]');
  });

  test('exactly 200 hits are not cut', async () => {
    const root = tempFolder({ 'a.txt': 'needle\n'.repeat(200) });
    expect((await text(root, { pattern: 'needle' })).split('\n')).toHaveLength(200);
  });

  test.each([
    ['foo(', 'Invalid regex: unclosed group. Escape a literal parenthesis as \\(.'],
    [
      '(?=a)b',
      'Invalid regex: look-around, including look-ahead and look-behind, is not supported. Match the text itself without (?=…), (?!…), (?<=…) or (?<!…), and sort out the lines you get, or search twice.',
    ],
    [
      '(a)\\1',
      'Invalid regex: backreferences are not supported. Write the repeated text out, or match more widely and sort out the lines you get.',
    ],
    [
      'a\\nb',
      'Invalid regex: the literal "\\n" is not allowed in a regex. Patterns are matched line by line: search for a part that lies on one line.',
    ],
    ['[a', 'Invalid regex: unclosed character class. Escape a literal bracket as \\[.'],
    ['*a', 'Invalid regex: repetition operator missing expression. Escape a literal *, + or ? with a backslash.'],
    ['{x}', 'Invalid regex: repetition operator missing expression. Escape a literal brace as \\{.'],
    ['if (x) {', 'Invalid regex: repetition quantifier expects a valid decimal. Escape a literal brace as \\{.'],
    ['a{1', 'Invalid regex: unclosed counted repetition. Escape a literal brace as \\{.'],
    ['foo\\', 'Invalid regex: the pattern ends in a backslash. Write a literal one as \\\\.'],
    [
      'a\\r\\n',
      'Invalid regex: the literal "\\r" is not allowed in a regex. A line is searched without its end, CRLF or LF: write $ for it.',
    ],
    [
      'é(?P<n>a)(?P=n)',
      'Invalid regex: unrecognized flag. Backreferences are not supported. Write the repeated text out, or match more widely and sort out the lines you get.',
    ],
    [
      '(?<n>a)\\k<n>',
      'Invalid regex: unrecognized escape sequence. Backreferences are not supported. Write the repeated text out, or match more widely and sort out the lines you get.',
    ],
    [
      '(?>a)',
      'Invalid regex: unrecognized flag. Matching never goes back, so atomic groups are not needed: write (?:…).',
    ],
    ['a(?1)', 'Invalid regex: unrecognized flag. Recursion does not exist: write out as many levels as you need.'],
    ['a(?#b)', 'Invalid regex: unrecognized flag. Leave the comment out.'],
    ['a\\Z', 'Invalid regex: unrecognized escape sequence. Write $ for the end of a line.'],
    ['a\\y', 'Invalid regex: unrecognized escape sequence. Write a literal backslash as \\\\.'],
    ['C:\\Users', 'Invalid regex: invalid hexadecimal digit. Write a literal backslash as \\\\.'],
    ['a{1000}{1000}', 'Invalid regex: compiled regex exceeds size limit. Use smaller repetition counts.'],
  ])('%s is an invalid regex, not "no matches"', async (pattern, message) => {
    const result = await run(tempFolder({ 'a.txt': 'x' }), { pattern });
    expect([result.code, result.text]).toEqual(['invalid', message]);
  });

  test('a regex that would grow without bounds is refused, a hostile one is linear', async () => {
    const root = tempFolder({ 'a.txt': `${'a'.repeat(5000)}!\n` });
    expect((await run(root, { pattern: '(\\w{900}){900}' })).text).toMatch(/^Invalid regex: /);
    expect(await text(root, { pattern: '^(a+)+$' })).toBe('No matches.');
  });

  test('a pattern that starts with a dash is a pattern', async () => {
    const root = tempFolder({
      'hook.sh': '#!/bin/sh\ntouch pwned.txt\ncat "$1"\n',
      'notes.md': 'run with --pre=./hook.sh today\nuse -S or --version\n',
    });
    chmodSync(join(root, 'hook.sh'), 0o755);
    expect(await text(root, { pattern: '--pre=./hook.sh' })).toBe('notes.md:1: run with --pre=./hook.sh today');
    expect(await text(root, { pattern: '--version' })).toBe('notes.md:2: use -S or --version');
    expect(await text(root, { pattern: '-S' })).toBe('notes.md:2: use -S or --version');
    expect(await text(root, { pattern: 'pwned', include: '*.txt' })).toBe('No matches.');
  });

  test('CRLF files match `$` and print no CR', async () => {
    const root = tempFolder({ 'w.ps1': 'needle\r\nother needle\r\n' });
    expect(await text(root, { pattern: 'needle$' })).toBe('w.ps1:1: needle\nw.ps1:2: other needle');
    expect(await text(tempFolder({ twice: 'a needle\r\r\n' }), { pattern: 'needle' })).toBe('twice:1: a needle');
  });

  test('long lines are cut around the match and marked; binaries are skipped', async () => {
    const root = tempFolder({
      'bundle.min.js': `${'x'.repeat(5e6)}needle${'y'.repeat(5e6)}\n`,
      'mid.txt': `${'ä'.repeat(400)}needle${'😀'.repeat(400)}\n`,
      'lib.so': Buffer.concat([Buffer.from('needle'), Buffer.alloc(9), Buffer.alloc(3e6, 97)]),
    });
    expect(await text(root, { pattern: 'needle' })).toBe(
      [
        `bundle.min.js:1: …${'x'.repeat(100)}needle${'y'.repeat(194)}… [line cut at 300 chars]`,
        `mid.txt:1: …${'ä'.repeat(100)}needle${'😀'.repeat(97)}… [line cut at 300 chars]`,
        '[1 binary file (or UTF-16 without a byte-order mark) was not searched]',
      ].join('\n'),
    );
  });

  test('UTF-8 with a mark, UTF-16 and old encodings are searched as text and decoded', async () => {
    const utf16 = (line: string, big: boolean) => {
      const bytes = Buffer.from(`\ufefffirst\r\n${line}\r\nlast`, 'utf16le');
      return big ? bytes.swap16() : bytes;
    };
    const root = tempFolder({
      'bom.txt': '\ufeffneedle é\nneedle 2\n',
      'be.txt': utf16('a needle é', true),
      'le.txt': utf16('a needle é', false),
      'latin.txt': Buffer.from('un caf\xe9 needle\n', 'latin1'),
    });
    expect(await text(root, { pattern: 'needle' })).toBe(
      'be.txt:2: a needle é\nbom.txt:1: needle é\nbom.txt:2: needle 2\nlatin.txt:1: un café needle\nle.txt:2: a needle é',
    );
  });

  test('a pattern that is not ASCII is also found in its Windows-1252 and Shift-JIS bytes', async () => {
    const root = tempFolder({
      'a.txt': 'un café noir\n',
      'b.txt': Buffer.from('premier\nun caf\xe9 noir\n', 'latin1'),
      'mixed.txt': Buffer.concat([Buffer.from('café\n'), Buffer.from('caf\xe9\n', 'latin1')]),
      // 0xe9 begins a character of three bytes here.
      'not.txt': 'caf過\n',
      'sjis.txt': Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0d, 0x0a]),
      'u.txt': '日本語\n',
    });
    expect(await text(root, { pattern: 'caf(é|e)' })).toBe(
      'a.txt:1: un café noir\nb.txt:2: un café noir\nmixed.txt:1: café\nmixed.txt:2: café',
    );
    expect(await text(root, { pattern: 'CAFÉ', ignoreCase: true, include: 'b.txt' })).toBe('b.txt:2: un café noir');
    expect(await text(root, { pattern: '日本' })).toBe('sjis.txt:1: 日本語\nu.txt:1: 日本語');
    for (const letter of ['\\xe9', '\\u00e9', '\\x{E9}', '\\U000000e9']) {
      expect(await text(root, { pattern: `caf${letter}`, include: '[bm]*.txt' })).toBe(
        'b.txt:2: un café noir\nmixed.txt:1: café\nmixed.txt:2: café',
      );
    }
    expect(await text(root, { pattern: '(?-u)\\xe9 noir', include: 'b.txt' })).toBe('b.txt:2: un café noir');
  });

  test('files in other old encodings are counted when the pattern is not ASCII', async () => {
    const koi8 = Buffer.from([0xd0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x0a]);
    const root = tempFolder({
      'koi8.txt': Buffer.concat([Buffer.from('x\n'.repeat(300)), koi8]),
      'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
      'cut.txt': Buffer.from([0x61, 0xc3]),
      'utf8.txt': 'привет, café 日本 😀\n',
      'utf16.txt': Buffer.from('\ufeffпривет\n', 'utf16le'),
      'ascii.txt': 'cafe',
      bin: Buffer.from([0xff, 0xfe, 0xfd, 0, 0xe9]),
    });
    const rows = 'utf16.txt:1: привет\nutf8.txt:1: привет, café 日本 😀';
    expect(await text(root, { pattern: 'привет' })).toBe(
      `${rows}\n[1 file in an old encoding may hold more: koi8.txt]`,
    );
    expect(await text(root, { pattern: 'café', include: '[kl]*.txt' })).toBe(
      'latin.txt:1: café\n[1 file in an old encoding may hold more: koi8.txt]',
    );
    expect(await text(root, { pattern: '[é]q' })).toBe(
      'No matches.\n[3 files in an old encoding may hold more: cut.txt, koi8.txt, latin.txt]',
    );
    expect(await text(root, { pattern: 'caf.\\b' })).toBe('ascii.txt:1: cafe\nutf8.txt:1: привет, café 日本 😀');
  });

  test('links are not followed, pipes are not opened, loops end', async () => {
    const outside = tempFolder({ 's.txt': 'zzz-secret' });
    const root = tempFolder({ 'sub/a.txt': 'zzz inside' });
    symlinkSync(outside, join(root, 'door'));
    symlinkSync(join(outside, 's.txt'), join(root, 's-link.txt'));
    symlinkSync('.', join(root, 'sub/self'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await text(root, { pattern: 'zzz' })).toBe('sub/a.txt:1: zzz inside');
    expect(await text(root, { pattern: 'zzz', include: 's-link.txt' })).toBe('No matches.');
  });

  test('hidden files are absent', async () => {
    const root = tempFolder({ '.env': 'KEY=needle', 'a.txt': 'needle' });
    const result = await run(root, { pattern: 'needle' }, (path) => path.rel !== '.env');
    expect(result.text).toBe('a.txt:1: needle');
  });

  test('odd names stay on one line', async () => {
    const root = tempFolder({ 'odd\nname/f:1.txt': 'needle', '-e.txt': 'needle' });
    expect(await text(root, { pattern: 'needle' })).toBe('-e.txt:1: needle\n"odd\\nname/f:1.txt":1: needle');
  });

  test('a hit before a NUL far down is shown once, and what follows is read right', async () => {
    const root = tempFolder({
      'a.bin': Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(700_000, 97), Buffer.alloc(100)]),
      'b.txt': 'needle\n',
    });
    expect(await text(root, { pattern: 'needle' })).toBe(
      'a.bin:1: needle\nb.txt:1: needle\n[1 binary file not searched past the first NUL byte: a.bin]',
    );
  });

  test('a huge sparse file is binary and does not hold the search up', async () => {
    const root = tempFolder({ 'a.txt': 'needle', 'huge.bin': '' });
    truncateSync(join(root, 'huge.bin'), 4e9);
    expect(await text(root, { pattern: 'needle' })).toBe(
      'a.txt:1: needle\n[1 binary file (or UTF-16 without a byte-order mark) was not searched]',
    );
  });

  test('a cancelled search ends', async () => {
    const root = tempFolder({ 'a.txt': 'needle' });
    const stop = new AbortController();
    stop.abort();
    const result = await callTool(grep(engine), { pattern: 'needle' }, { root, signal: stop.signal });
    expect(result.text).toBe('This operation was aborted');
  });

  test('empty lines and one-letter lines are read right', async () => {
    const root = tempFolder({ 'a.txt': '\nx\n\nxy' });
    expect(await text(root, { pattern: '^' })).toBe('a.txt:1: \na.txt:2: x\na.txt:3: \na.txt:4: xy');
  });

  test('nested repositories are searched by their own rules', async () => {
    const root = tempFolder({
      '.gitignore': '*.log\n',
      'in/.gitignore': 'own.txt\n',
      'in/own.txt': 'needle',
      'in/a.log': 'needle',
    });
    for (const cwd of [root, join(root, 'in')]) execFileSync('git', ['init', '-q', '.'], { cwd });
    expect(await text(root, { pattern: 'needle' })).toBe('in/a.log:1: needle');
  });
});

test('the schema is small', () => {
  const { name, description, input } = shiroGrep({ ignoreFiles: [] });
  expect(Buffer.byteLength(JSON.stringify({ name, description, schema: input }))).toBeLessThanOrEqual(595);
});

test('arguments are checked', async () => {
  const root = tempFolder();
  const call = async (args: object) => {
    const { code, text } = await callTool(shiroGrep({ ignoreFiles: [] }), args, { root });
    return `${code}: ${text.split('. Expected')[0]}`;
  };
  expect(await call({ pattern: '' })).toBe(
    'invalid: invalid grep arguments: field "pattern": pattern is required: send what to search for',
  );
  expect(await call({ pattern: 'a\0b' })).toBe(
    'invalid: invalid grep arguments: field "pattern": holds a NUL character, which no text file does',
  );
  expect(await call({ pattern: 'a', path: 'x' })).toBe('invalid: invalid grep arguments: json: unknown field "path"');
});
