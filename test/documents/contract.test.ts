import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { benchOn } from '../support/dialect.ts';
import { tempFolder } from '../support/folders.ts';
import { repository } from '../support/repository.ts';

const dialects = ['native', 'udiff', 'shiro', 'rousseau'];
const read = (dialect: string, root: string, name: string): [string, object] =>
  dialect === 'rousseau' ? ['read', { path: join(root, name) }] : ['read_file', { path: name }];
const write = (dialect: string, root: string, name: string, content: string): [string, object] =>
  dialect === 'rousseau' ? ['write', { path: join(root, name), content }] : ['write_file', { path: name, content }];

describe.each(dialects)('every dialect: %s', (dialect) => {
  test.each([
    ['unknown', { path: '/a', x: 1 }, 'unknown field "x"'],
    ['missing', {}, 'field "path" is required'],
    ['null', { path: null }, 'field "path" must be a string, got null'],
    ['of the wrong type', { path: 1 }, 'field "path" must be a string, got a number 1'],
  ])('a field that is %s is invalid, and named', async (_, args, words) => {
    const bench = await benchOn(dialect, tempFolder());
    const error = await bench.error(read(dialect, '', '')[0], args);
    expect(error).toMatch(/^invalid: /);
    expect(error).toContain(words);
  });

  test('.git is never written by a file tool, in any spelling', async () => {
    const bench = await benchOn(dialect, repository({ a: '' }));
    symlinkSync('.git', join(bench.root, 'link'));
    for (const name of ['.git/hooks/pre-commit', 'link/hooks/pre-commit', 'a/../.git/hooks/pre-commit']) {
      expect(await bench.error(...write(dialect, bench.root, name, 'x'))).toMatch(/^denied: .*\.git/);
    }
    expect(existsSync(join(bench.root, '.git/hooks/pre-commit'))).toBe(false);
  });

  test('denied secrets are refused, *.env.example is not', async () => {
    const bench = await benchOn(
      dialect,
      tempFolder({ '.env': 'zzz-secret', 'a.pem': 'zzz-secret', 'x.env.example': 'A=' }),
    );
    symlinkSync('.env', join(bench.root, 'plain.txt'));
    for (const name of ['.env', 'a.pem', 'plain.txt']) {
      const error = await bench.error(...read(dialect, bench.root, name));
      expect(error).toMatch(/^denied: /);
      expect(error).not.toContain('zzz-secret');
    }
    expect(await bench.text(...read(dialect, bench.root, 'x.env.example'))).toContain('A=');
  });

  test('a whole-file write over a file that changed since it was read is stale; never read, it is not', async () => {
    const bench = await benchOn(dialect, tempFolder({ a: 'one\n', b: 'one\n' }));
    await bench.text(...read(dialect, bench.root, 'a'));
    for (const name of ['a', 'b']) writeFileSync(join(bench.root, name), 'theirs\n');
    expect(await bench.error(...write(dialect, bench.root, 'a', 'mine\n'))).toMatch(/^stale: /);
    await bench.text(...write(dialect, bench.root, 'b', 'mine\n'));
    expect([readFileSync(join(bench.root, 'a'), 'utf8'), readFileSync(join(bench.root, 'b'), 'utf8')]).toEqual([
      'theirs\n',
      'mine\n',
    ]);
  });

  test('over a file whose reading is denied, a write tells size and digest only', async () => {
    const bench = await benchOn(dialect, tempFolder({ '.env': 'OLD=zzz-secret\n' }));
    const result = await bench.call(...write(dialect, bench.root, '.env', 'NEW=zzz-secret\n'));
    expect(JSON.stringify(result)).not.toContain('zzz-secret');
  });

  test('--approve none turns ask into deny; reading goes on', async () => {
    const bench = await benchOn(dialect, tempFolder({ a: 'x\n' }), { approve: 'none' });
    expect(await bench.text(...read(dialect, bench.root, 'a'))).toContain('x');
    expect(await bench.error(...write(dialect, bench.root, 'b', ''))).toMatch(/^denied: /);
    expect(existsSync(join(bench.root, 'b'))).toBe(false);
  });

  test('--plan offers what only reads', async () => {
    const bench = await benchOn(dialect, tempFolder(), { plan: true });
    expect(bench.app.gate.definitions().every(({ readOnly }) => readOnly)).toBe(true);
  });
});

test('an edit of up to 64 MB, not beyond; the error names the limit', async () => {
  const bench = await benchOn('shiro', tempFolder({ big: Buffer.alloc(64 * 1024 * 1024 + 1, 'a\n') }));
  expect(await bench.error('edit_file', { path: 'big', oldString: 'zz', newString: 'b' })).toMatch(/64 MB/);
});

test('new text that a guessed encoding may not hold is refused', async () => {
  const bytes = Buffer.from('caf\xe9 au lait, d\xe9j\xe0 vu\nplain\n', 'latin1');
  const bench = await benchOn('shiro', tempFolder({ a: bytes }));
  expect(await bench.error('edit_file', { path: 'a', oldString: 'plain', newString: 'naïve' })).toMatch(/^conflict: /);
  expect(readFileSync(join(bench.root, 'a')).equals(bytes)).toBe(true);
});

test.each(['native', 'shiro', 'rousseau'])(
  '%s: a command that reads a denied file by its name is denied',
  async (dialect) => {
    const bench = await benchOn(dialect, tempFolder({ '.env': 'TOKEN=zzz-secret\n' }));
    expect(await bench.error('bash', { command: 'cat .env' })).toMatch(/^denied: /);
  },
);

test('ignore files bind shiro and native; search_code and rousseau`s grep skip only what their documents name', async () => {
  const files = { '.gitignore': 'a\n', '.benchdogignore': 'b\n', a: 'needle\n', b: 'needle\n', c: 'needle\n' };
  const root = tempFolder({ ...files, '.env': 'needle\n' });
  for (const dialect of ['native', 'shiro']) {
    expect(await (await benchOn(dialect, root)).text('grep', { pattern: 'needle' })).toBe('c:1: needle');
  }
  expect(await (await benchOn('udiff', root)).text('search_code', { query: 'needle' })).toBe(
    'a:1:needle\nb:1:needle\nc:1:needle',
  );
  expect(await (await benchOn('rousseau', root)).text('grep', { path: root, pattern: 'needle' })).toBe(
    ['a', 'b', 'c'].map((name) => `${root}/${name}:1: needle`).join('\n'),
  );
});

test.each(['native', 'udiff', 'shiro'])(
  '%s: the sections of denied files are left out of git_diff, with a note',
  async (dialect) => {
    const root = repository({ '.env': 'A=1\n', a: '1\n' });
    writeFileSync(join(root, '.env'), 'A=zzz-secret\n');
    writeFileSync(join(root, 'a'), '2\n');
    const shown = await (await benchOn(dialect, root)).text('git_diff');
    expect(shown).not.toContain('zzz-secret');
    expect(shown).toMatch(/\nnote: left out \(reading is denied, or it leads out of the workspace\): \.env$/);
  },
);

test('a row decides for its own tool; its deny binds every tool that reads', async () => {
  const settings = { permission: { read_file: { 'secrets/**': 'deny' } } };
  const root = tempFolder({ 'secrets/a': 'zzz-secret\n', b: 'x\n' });
  const bench = await benchOn('native', root, { settings });
  expect(await bench.error('read_file', { path: 'secrets/a' })).toMatch(/^denied: /);
  expect(await bench.error('bash', { command: 'cat secrets/a' })).toMatch(/^denied: /);
  expect(await bench.text('grep', { pattern: 'zzz' })).not.toContain('zzz-secret');
  expect(await bench.error('edit_file', { path: 'secrets/a', oldString: 'zzz', newString: 'x' })).toMatch(/^denied: /);
  expect(await bench.text('read_file', { path: 'b' })).toBe('1: x');
});
