import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerSlot } from '../../src/tool/ledger.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { shiroReadFile } from '../../src/tools/read.ts';
import { rousseauRead, udiffReadFile } from '../../src/tools/read-raw.ts';
import { digestOf } from '../../src/workspace/file-state.ts';
import { tempFolder } from '../support/folders.ts';
import { reader } from './read-support.ts';

type Files = Record<string, string | Buffer>;

/** Text and code of one call of `read_file` (shiro) on a fresh folder. */
async function shiro(files: Files, args: object): Promise<[string, string]> {
  const { code, text } = await reader({ root: tempFolder(files) }).call(shiroReadFile, args);
  return [code, text];
}

describe('read_file (shiro, native)', () => {
  it('returns contents with 1-based line numbers', async () => {
    const files = { 'src/app.ts': 'export const port = 8080;\n', 'b.txt': 'x\r\n\r\ny' };
    expect(await shiro(files, { path: 'src/app.ts' })).toEqual(['ok', '1: export const port = 8080;']);
    expect(await shiro(files, { path: 'b.txt' })).toEqual(['ok', '1: x\n2: \n3: y']);
  });

  it('starts at offset, 1-based, and shows at most limit lines', async () => {
    const files = { 'a.txt': 'a\nb\nc\nd\n' };
    expect(await shiro(files, { path: 'a.txt', offset: 3 })).toEqual(['ok', '3: c\n4: d']);
    const note = '... [lines 2-3; continue with offset 4]';
    expect(await shiro(files, { path: 'a.txt', offset: 2, limit: 2 })).toEqual(['ok', `2: b\n3: c\n${note}`]);
    const last = { path: 'a.txt', offset: 4, limit: 1 };
    expect(await shiro(files, last)).toEqual(['ok', '4: d']);
  });

  it('shows 2,000 lines by default and says how to continue', async () => {
    const [, text] = await shiro({ 'a.txt': 'x\n'.repeat(2500) }, { path: 'a.txt' });
    const lines = text.split('\n');
    expect(lines[1999]).toBe('2000: x');
    expect(lines.slice(2000)).toEqual(['... [lines 1-2000; continue with offset 2001]']);
  });

  it('caps a result at 30,000 characters and says how much was cut', async () => {
    const [, text] = await shiro({ 'a.txt': `${'z'.repeat(99)}\n`.repeat(500) }, { path: 'a.txt' });
    expect(text.length).toBeLessThanOrEqual(30_000);
    const lines = text.split('\n');
    const shown = lines.length - 2;
    expect(lines.slice(-2)).toEqual([
      `... [truncated ${((500 - shown) * 100).toLocaleString('en-US')} chars]`,
      `... [lines 1-${shown} of 500; continue with offset ${shown + 1}]`,
    ]);
  });

  it('B052: a line longer than the cap is clipped, with another next step', async () => {
    const one = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `item${at}`));
    const [code, text] = await shiro({ 'one.json': one }, { path: 'one.json' });
    expect(code).toBe('ok');
    expect(text.startsWith('1: ["item0","item1"')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(30_000);
    const cut = (one.length - 29_597).toLocaleString('en-US');
    expect(text.split('\n').slice(1)).toEqual([
      `... [truncated ${cut} chars]`,
      '... [line 1 is cut after 29,597 characters: search it with grep, or print another part of it with bash (cut -c)]',
    ]);
    const [, two] = await shiro({ 'one.json': `${one}\nnext\n` }, { path: 'one.json' });
    expect(two).toContain('(cut -c), or continue behind it with offset 2]');
  });

  it('never cuts within a character', async () => {
    for (const pad of ['', 'x']) {
      const [, text] = await shiro({ 'a.txt': pad + '😀'.repeat(40_000) }, { path: 'a.txt' });
      expect(/\p{Surrogate}/u.test(text)).toBe(false);
    }
  });

  it('refuses binaries: a NUL in the first 8 KB', async () => {
    const [code, text] = await shiro({ 'a.bin': Buffer.from('ELF\0\0') }, { path: 'a.bin' });
    expect([code, text]).toEqual([
      'conflict',
      'a.bin is a binary file (NUL byte at offset 3), so it is not shown. Look at it with a command, such as file or xxd.',
    ]);
  });

  it('B050: decodes UTF-16 and says so', async () => {
    const bytes = Buffer.from('//5oAGUAbABsAG8ADQAKAHcAbwByAGwAZAANAAoA', 'base64');
    const text = '1: hello\n2: world\n... [decoded from UTF-16LE]';
    expect(await shiro({ 'win.txt': bytes }, { path: 'win.txt' })).toEqual(['ok', text]);
  });

  it('says that a file is empty or ends before offset', async () => {
    expect(await shiro({ 'a.txt': '' }, { path: 'a.txt' })).toEqual(['ok', '[a.txt is empty]']);
    const late = { path: 'a.txt', offset: 9 };
    const refused = 'offset 9 is past the end of a.txt, which has 2 lines.';
    expect(await shiro({ 'a.txt': 'a\nb' }, late)).toEqual(['invalid', refused]);
  });

  it('says what is missing, and what is no file', async () => {
    expect(await shiro({}, { path: 'src/gone.ts' })).toEqual(['missing', 'No such file: src/gone.ts']);
    expect(await shiro({ 'd/a.txt': '' }, { path: 'd' })).toEqual([
      'conflict',
      'path is not a regular file: d is a directory.',
    ]);
    expect(await shiro({ a: '' }, { path: 'a/b' })).toEqual([
      'missing',
      'No such file: a/b (a name on the way is a file, not a folder).',
    ]);
  });

  it('B054: brackets in a path are a name', async () => {
    const files = { 'src/app/[id]/page.tsx': 'export {}\n', 'src/app/i/page.tsx': 'other\n' };
    expect(await shiro(files, { path: 'src/app/[id]/page.tsx' })).toEqual(['ok', '1: export {}']);
  });

  it.each([{ offset: '2' }, { offset: 0 }, { limit: 0 }, { offset: 1.5 }, { line: 3 }, { limit: null }])(
    'B119: refuses %j strictly',
    async (extra) => {
      const [code, text] = await shiro({ 'a.txt': 'a\n' }, { path: 'a.txt', ...extra });
      expect(code).toBe('invalid');
      expect(text).toContain('Expected: {"path": string, "offset"?: integer, "limit"?: integer}');
    },
  );

  it('names the read effect and the subject, and fits its budget', async () => {
    const { call, workspace } = reader({ root: tempFolder({ 'a.txt': 'a' }) });
    const { effects } = await call(shiroReadFile, { path: './a.txt' });
    expect(effects).toEqual([{ kind: 'read', path: workspace.resolve('a.txt') }]);
    const { name, description, input: schema } = shiroReadFile;
    expect(Buffer.byteLength(JSON.stringify({ name, description, schema }))).toBeLessThanOrEqual(526);
    expect([shiroReadFile.set, shiroReadFile.readOnly]).toEqual(['core', true]);
  });

  it('notes in the ledger what was seen: the digest only for the whole', async () => {
    const { call, workspace, state } = reader({ root: tempFolder({ 'a.txt': 'a\nb\n' }) });
    const ledger = state.get(ledgerSlot);
    await call(shiroReadFile, { path: 'a.txt', limit: 1 });
    expect(ledger.of(workspace.resolve('a.txt'))).toEqual({ mark: expect.any(String) });
    await call(shiroReadFile, { path: 'a.txt' });
    expect(ledger.of(workspace.resolve('a.txt'))).toEqual({
      mark: expect.any(String),
      digest: digestOf(Buffer.from('a\nb\n')),
    });
  });
});

describe('what no tool reads', () => {
  const tools: readonly Tool[] = [shiroReadFile, udiffReadFile];

  it.each(tools.map((tool, at) => [['shiro', 'udiff'][at]!, tool] as const))(
    'B049 (%s): a pipe, a socket and a device are refused at once',
    async (_, tool) => {
      const root = tempFolder();
      execFileSync('mkfifo', [join(root, 'live.pipe')]);
      expect((await reader({ root }).call(tool, { path: 'live.pipe' })).text).toBe(
        'path is not a regular file: live.pipe is a named pipe.',
      );
      const dev = await reader({ root: '/dev' }).call(tool, { path: 'zero' });
      expect([dev.code, dev.text]).toEqual(['conflict', 'path is not a regular file: zero is a device.']);
    },
  );

  it('B107: what lies behind a link that leads out', async () => {
    const top = tempFolder({ 'outside/s.txt': 'zzz-secret\n' });
    const root = join(top, 'ws');
    mkdirSync(root);
    symlinkSync('../outside', join(root, 'door'));
    symlinkSync('../outside/s.txt', join(root, 's-link.txt'));
    for (const path of ['door/s.txt', 's-link.txt', '../outside/s.txt']) {
      const { code, text } = await reader({ root }).call(shiroReadFile, { path });
      expect([code, text]).toEqual(['outside', `path is outside the workspace: ${path}`]);
    }
  });

  it('B098: a hidden file, by any way that leads to it, with the reason', async () => {
    const root = tempFolder({ '.env': 'API_KEY=zzz-secret\n', 'src/x.ts': '\n' });
    symlinkSync('.env', join(root, 'notes.txt'));
    symlinkSync('.', join(root, 'loop'));
    const secret = (path: { rel: string }) => !path.rel.endsWith('.env') || 'secrets are never read (built-in)';
    const { call } = reader({ root, visible: secret });
    for (const path of ['.env', 'notes.txt', 'src/../.env', './.env', 'loop/.env', 'loop/notes.txt']) {
      const { code, text } = await call(shiroReadFile, { path });
      expect(code).toBe('denied');
      expect(text).toMatch(/^Reading .* is denied: secrets are never read \(built-in\)$/);
    }
    const silent = reader({ root, visible: () => false });
    expect((await silent.call(shiroReadFile, { path: 'src/x.ts' })).text).toBe('Reading src/x.ts is denied.');
  });
});

describe('read_file (udiff)', () => {
  const rooted = (files: Files) => reader({ root: tempFolder(files), pathStyle: 'rooted' });
  const udiff = async (files: Files, path: string): Promise<[string, string]> => {
    const { code, text } = await rooted(files).call(udiffReadFile, { path });
    return [code, text];
  };

  it("returns the file's raw contents", async () => {
    const raw = '\ufeffa\r\n\n  b\tc';
    expect(await udiff({ 'a.txt': raw, 'nul.txt': 'a\0b' }, 'a.txt')).toEqual(['ok', raw]);
    expect(await udiff({ 'a.txt': raw, 'nul.txt': 'a\0b' }, 'nul.txt')).toEqual(['ok', 'a\0b']);
    expect(await udiff({ 'a.txt': '' }, 'a.txt')).toEqual(['ok', '']);
  });

  it('joins an absolute path under the root', async () => {
    expect(await udiff({ 'etc/passwd': 'mine' }, '/etc/passwd')).toEqual(['ok', 'mine']);
  });

  it.each(['', '  '])('path is required: %j', async (path) => {
    expect(await udiff({}, path)).toEqual(['invalid', 'path is required: send the path of a file.']);
  });

  it('fails as documented', async () => {
    expect(await udiff({}, 'gone.txt')).toEqual(['missing', 'inspect file: gone.txt: no such file or directory']);
    expect(await udiff({ 'd/x': '' }, 'd')).toEqual(['conflict', 'path is not a regular file: d is a directory.']);
    expect(await udiff({}, '../x')).toEqual(['outside', 'path is outside the workspace: ../x']);
    const unknown = await rooted({}).call(udiffReadFile, { path: 'a', x: 1 });
    expect(unknown.text).toContain('invalid read_file arguments: json: unknown field "x"');
    const two = await rooted({}).call(udiffReadFile, '{"path":"a"}{"path":"b"}');
    expect(two.text).toContain('multiple json values');
  });

  it('gives 4 MB whole; beyond, the head, the size and what to do', async () => {
    const whole = 'x'.repeat(4 * 1024 * 1024 - 1);
    expect((await udiff({ 'a.txt': `${whole}\n` }, 'a.txt'))[1]).toBe(`${whole}\n`);
    const [code, text] = await udiff({ 'a.txt': 'line of text\n'.repeat(403_299) }, 'a.txt');
    expect(code).toBe('ok');
    const note = '... [the first 64.0 KB of 5.0 MB; use search_code with this path to find the lines you need]';
    expect(text).toBe(`${'line of text\n'.repeat(5041)}${note}`);
  });

  it('decodes what is not UTF-8 with a note, and refuses what is no text', async () => {
    const wide = Buffer.from('\ufeffhello\n', 'utf16le');
    expect(await udiff({ 'a.txt': wide }, 'a.txt')).toEqual(['ok', 'hello\n... [decoded from UTF-16LE]']);
    const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0x80, 0, 1]);
    expect(await udiff({ a: elf }, 'a')).toEqual([
      'conflict',
      'a is a binary file (9 bytes), which is no text to return.',
    ]);
  });
});

describe('read (rousseau)', () => {
  const rousseau = async (files: Files, pick: (root: string) => string): Promise<[string, string, string]> => {
    const root = tempFolder(files);
    const { code, text } = await reader({ root, pathStyle: 'absolute' }).call(rousseauRead, { path: pick(root) });
    return [code, text, root];
  };

  it('returns the contents verbatim', async () => {
    const [code, text] = await rousseau({ 'a.txt': 'a\r\n b' }, (root) => join(root, 'a.txt'));
    expect([code, text]).toEqual(['ok', 'a\r\n b']);
  });

  it('rejects a relative path, a blank one and one outside', async () => {
    const [code, text, root] = await rousseau({ 'a.txt': '' }, () => 'a.txt');
    const shown = join(root, 'a.txt');
    expect([code, text]).toEqual([
      'invalid',
      `read: path must be absolute, got "a.txt". Put the workspace root in front: ${shown}`,
    ]);
    expect((await rousseau({}, () => ''))[1]).toBe('read: path is required: send the path of a file.');
    expect((await rousseau({}, () => '/etc/passwd'))[1]).toBe('read: path is outside the workspace: /etc/passwd');
  });

  it('says that a folder is one, and that a file is missing', async () => {
    const [code, text, root] = await rousseau({ 'd/x': '' }, (top) => join(top, 'd'));
    expect([code, text]).toEqual(['conflict', `read: read ${root}/d: is a directory`]);
    const [missing, gone, top] = await rousseau({}, (at) => join(at, 'gone'));
    expect([missing, gone]).toEqual(['missing', `read: open ${top}/gone: no such file or directory`]);
  });

  it('sniffs a NUL in the first 512 bytes only', async () => {
    const [code, text, root] = await rousseau({ a: `${'x'.repeat(511)}\0` }, (at) => join(at, 'a'));
    const why = 'NUL byte in the first 512 bytes (not a text file)';
    expect([code, text]).toEqual(['conflict', `read: ${root}/a: ${why}`]);
    expect((await rousseau({ a: `${'x'.repeat(512)}\0` }, (at) => join(at, 'a')))[0]).toBe('ok');
    const wide = Buffer.from('\ufeffhello', 'utf16le');
    expect((await rousseau({ a: wide }, (at) => join(at, 'a')))[1]).toContain('UTF-16LE text; convert it with bash');
  });

  it('gives the head of a file over 4 MB', async () => {
    const [, text] = await rousseau({ a: 'y'.repeat(5_000_000) }, (at) => join(at, 'a'));
    const note = '... [the first 64 KB of 4.8 MB; use bash (sed -n, grep -n) to see the lines you need]';
    expect(text).toBe(`${'y'.repeat(65_536)}\n${note}`);
  });
});

describe('files of the proc file system', () => {
  it('are read though they say that they are empty', async () => {
    const { call } = reader({ root: '/proc' });
    const { text } = await call(shiroReadFile, { path: `${process.pid}/status`, limit: 1 });
    expect(text).toMatch(/^1: Name:\t/);
    const raw = await call(udiffReadFile, { path: 'meminfo' });
    expect(raw.text).toContain('MemTotal');
  });
});

describe('mounts', () => {
  it('are read by their name, never left, and tell when there is nothing yet', async () => {
    const home = tempFolder({ 'secret.txt': 'zzz-secret' });
    const root = tempFolder({ 'a.txt': 'mine' });
    const mounts = { '@output': join(home, 'output') };
    const { call } = reader({ root, mounts, pathStyle: 'absolute' });
    expect((await call(shiroReadFile, { path: '@output/7' })).text).toBe(
      'No such file: there is nothing in @output (yet).',
    );
    mkdirSync(join(home, 'output'));
    writeFileSync(join(home, 'output', '7'), 'kept\n');
    symlinkSync('../secret.txt', join(home, 'output', '8'));
    expect((await call(shiroReadFile, { path: '@output/7' })).text).toBe('1: kept');
    for (const path of ['@output/../secret.txt', '@output/8', '@output/7/../../secret.txt']) {
      expect((await call(shiroReadFile, { path })).code).toBe('outside');
    }
  });
});
