import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nativeGrep } from '../../src/tools/grep-native.ts';
import { rousseauGrep } from '../../src/tools/grep-rousseau.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const note = (count: number | string) =>
  count === 1
    ? '[1 binary file (or UTF-16 without a byte-order mark) was not searched]'
    : `[${count} binary files (or UTF-16 without a byte-order mark) were not searched]`;

const binary = Buffer.from('text\0needle\n');
const forged = 'x: found binary data at offset 0\nrg: DEBUG|grep_printer::standard|standard.rs:830: ignoring .';

describe.each(engines)('what a search leaves out is counted (%s)', (_, engine) => {
  const grep = nativeGrep({ engine: () => engine, ignoreFiles: ['.benchdogignore'] });
  const text = async (root: string, args: object = {}, visible?: (path: { rel: string }) => boolean) =>
    (await callTool(grep, { pattern: 'needle', ...args }, { root, ...(visible && { visible }) })).text;

  const tree = () =>
    tempFolder({
      'a.txt': 'needle\n',
      'one.bin': binary,
      'sub/wide.txt': Buffer.from('needle\n', 'utf16le'),
      'sub/marked.txt': Buffer.from('\ufeffneedle\n', 'utf16le'),
      'sub/match-first.txt': Buffer.from('needle\nsome\0more\n'),
      'sub/late.txt': Buffer.from(`${'line\n'.repeat(100_000)}\0\nneedle\n`),
      empty: '',
    });

  test.each([
    ['lines', {}, 'a.txt:1: needle\nsub/marked.txt:1: needle'],
    ['files', { output: 'files' }, 'a.txt\nsub/marked.txt'],
    ['count', { output: 'count' }, 'a.txt: 1\nsub/marked.txt: 1\n[2 in 2 files]'],
    ['lines around', { context: 1 }, 'a.txt:1: needle\nsub/marked.txt:1: needle'],
    ['many lines as one', { multiline: true }, 'a.txt:1: needle\nsub/marked.txt:1: needle'],
    ['sorted by time', { sort: 'modified', output: 'count', include: '*.txt' }, undefined],
  ])('asked for %s', async (_, args, rows) => {
    if (rows === undefined) expect(await text(tree(), args)).toContain(note(3));
    else expect(await text(tree(), args)).toBe(`${rows}\n${note(4)}`);
  });

  test('of those that a filter takes in alone', async () => {
    expect(await text(tree(), { include: '*.txt' })).toBe(`a.txt:1: needle\nsub/marked.txt:1: needle\n${note(3)}`);
    expect(await text(tree(), { include: '*.txt', output: 'count', pattern: 'zzz' })).toBe(`No matches.\n${note(3)}`);
    expect(await text(tree(), { include: 'sub/**', pattern: 'zzz' })).toBe(`No matches.\n${note(3)}`);
    expect(await text(tree(), { include: '*.bin' })).toBe(`No matches.\n${note(1)}`);
    expect(await text(tree(), { type: 'txt', paths: ['sub'] })).toBe(`sub/marked.txt:1: needle\n${note(3)}`);
    expect(await text(tree(), { type: 'txt', paths: ['a.txt'] })).toBe('a.txt:1: needle');
    expect(await text(tree(), { include: '*.md' })).toBe('No matches.');
  });

  test('a pattern that is searched in several encodings counts each file once', async () => {
    const root = tempFolder({ 'a.txt': 'grün\n', 'one.bin': binary });
    expect(await text(root, { pattern: 'grün' })).toBe(`a.txt:1: grün\n${note(1)}`);
    expect(await text(root, { pattern: 'grün', include: '*.bin' })).toBe(`No matches.\n${note(1)}`);
  });

  test('of denied and ignored files nothing is told, whatever they hold', async () => {
    const root = tempFolder({
      '.gitignore': 'out\n*.log\n',
      'out/one.bin': binary,
      'deep/er/still/more/x.log': binary,
      'node_modules/one.bin': binary,
      '.git/index': binary,
      'a.env': binary,
    });
    const visible = ({ rel }: { rel: string }) => !rel.endsWith('.env');
    for (const filter of [{}, { include: '*' }, { include: '*.{bin,env,log}' }]) {
      expect(await text(root, filter, visible)).toBe('No matches.');
    }
    expect(await text(root, { includeIgnored: true }, visible)).toBe(`No matches.\n${note(2)}`);
  });

  test('a file that is named has its own note; among others also UTF-16 without a mark', async () => {
    const root = tree();
    const own = (count: string, names: string) => `[${count} not searched past the first NUL byte: ${names}]`;
    expect(await text(root, { paths: ['one.bin'] })).toBe(`No matches.\n${own('1 binary file', 'one.bin')}`);
    expect(await text(root, { paths: ['one.bin', 'sub/wide.txt', 'a.txt'] })).toBe(
      `a.txt:1: needle\n${own('2 binary files', 'one.bin, sub/wide.txt')}`,
    );
    expect(await text(root, { paths: ['one.bin', 'a.txt'], output: 'count' })).toBe(
      `a.txt: 1\n[1 in 1 file]\n${own('1 binary file', 'one.bin')}`,
    );
    expect(await text(root, { paths: ['sub/match-first.txt', 'sub/late.txt', 'a.txt'] })).toBe(
      `a.txt:1: needle\n${own('2 binary files', 'sub/late.txt, sub/match-first.txt')}`,
    );
    expect(await text(root, { paths: ['.', 'one.bin'] })).toBe(
      `a.txt:1: needle\nsub/marked.txt:1: needle\n${own('1 binary file', 'one.bin')}\n${note(3)}`,
    );
  });

  test('a file name with newlines counts once; one that forges a notice makes no other file count', async () => {
    const root = tempFolder({ 'text.txt': 'plain\n', 'new\nline.bin': binary });
    mkdirSync(join(root, forged));
    writeFileSync(join(root, forged, 'text.txt'), binary);
    expect(await text(root)).toBe(`No matches.\n${note(1)}`);
    expect(await text(root, { include: '*.{bin,txt}' })).toBe(`No matches.\n${note(2)}`);
  });

  test('a search that ends early does not count', async () => {
    const root = tempFolder({ 'a.txt': 'needle\n'.repeat(201), 'one.bin': binary });
    expect(await text(root)).not.toContain('not searched');
  });

  test('but not in a dialect whose document says that they are skipped', async () => {
    const grep = rousseauGrep({ engine: () => engine, maxFileBytes: 10 });
    const root = tempFolder({ 'a.bin': binary, 'big.txt': 'needle and more\n' });
    for (const include of [undefined, '*.*', '*.txt']) {
      const args = { pattern: 'needle', path: root, ...(include && { include }) };
      expect((await callTool(grep, args, { root, pathStyle: 'absolute' })).text).toBe('no matches');
    }
  });
});

test('a name that is not UTF-8 tells of a file only if its name may be told of', async () => {
  const root = tempFolder({ 'a.txt': 'other\n' });
  for (const name of ['b\\xff.txt', 'b\\xff.env', 'b\\xff.log']) {
    execFileSync('sh', ['-c', `printf needle > "$(printf 'b\\377.${name.slice(-3)}')"`], { cwd: root });
  }
  writeFileSync(join(root, '.gitignore'), '*.log\n');
  const grep = nativeGrep({ engine: () => engines[0]![1], ignoreFiles: [] });
  const visible = ({ rel }: { rel: string }) => !rel.endsWith('.env');
  expect((await callTool(grep, { pattern: 'needle' }, { root, visible })).text).toBe(
    'No matches.\n[1 file left out: the name is not UTF-8]',
  );
});
