import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../src/gate/gateway.ts';
import { type Bench, benchOn } from './support/dialect.ts';
import { tempFolder } from './support/folders.ts';
import { processesWith } from './support/processes.ts';

/** One row after the other of what went wrong in other tools, in every dialect that has the verb. */
interface Spelling {
  readonly dialect: string;
  edit(bench: Bench, name: string, from: string, to: string): Promise<string>;
  write(bench: Bench, name: string, content: string): Promise<string>;
  read(bench: Bench, name: string): Promise<string>;
}

/** The text of a call, or `code: text` of an error. */
async function told(bench: Bench, tool: string, args: object): Promise<string> {
  const result = await bench.call(tool, args);
  return result.ok ? result.text : `${result.code}: ${result.text}`;
}

const exact = (dialect: string): Spelling => ({
  dialect,
  edit: (bench, path, oldString, newString) => told(bench, 'edit_file', { path, oldString, newString }),
  write: (bench, path, content) => told(bench, 'write_file', { path, content }),
  read: (bench, path) => told(bench, 'read_file', { path }),
});

const udiff: Spelling = {
  ...exact('udiff'),
  edit: (bench, name, from, to) => told(bench, 'edit_file', { patch: patchOf(name, from, to) }),
};

const rousseau: Spelling = {
  dialect: 'rousseau',
  edit: (bench, name, old_string, new_string) =>
    told(bench, 'edit', { path: join(bench.root, name), old_string, new_string }),
  write: (bench, name, content) => told(bench, 'write', { path: join(bench.root, name), content }),
  read: (bench, name) => told(bench, 'read', { path: join(bench.root, name) }),
};

const spellings = [exact('native'), exact('shiro'), udiff, rousseau];
const commands = ['native', 'shiro', 'rousseau'];

/** Whole lines as a diff without context; its line number is a guess, as a model's is. */
function patchOf(name: string, from: string, to: string): string {
  const lines = (text: string, sign: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign}${line}\n`);
  const [before, after] = [lines(from, '-'), lines(to, '+')];
  return `--- a/${name}\n+++ b/${name}\n@@ -2,${before.length} +2,${after.length} @@\n${[...before, ...after].join('')}`;
}

const at = (bench: Bench, name: string) => join(bench.root, name);
const text = (bench: Bench, name: string) => readFileSync(at(bench, name), 'latin1');

describe.each(spellings)('$dialect', ({ dialect, edit, write, read }) => {
  const open = (files: Record<string, string | Buffer> = {}) => benchOn(dialect, tempFolder(files));

  test('an edit keeps CRLF', async () => {
    const bench = await open({ a: 'one\r\ntwo\r\nthree\r\n' });
    await edit(bench, 'a', 'two', 'TWO');
    expect(text(bench, 'a')).toBe('one\r\nTWO\r\nthree\r\n');
  });

  test('an edit given with \\n across CRLF lines works and keeps CRLF', async () => {
    const bench = await open({ a: 'one\r\ntwo\r\nthree\r\nfour\r\n' });
    await edit(bench, 'a', 'two\nthree\n', 'TWO\nand\nTHREE\n');
    expect(text(bench, 'a')).toBe('one\r\nTWO\r\nand\r\nTHREE\r\nfour\r\n');
  });

  test('an edit keeps the byte-order mark', async () => {
    const bench = await open({ a: '\ufeffone\ntwo\n' });
    await edit(bench, 'a', 'two', 'TWO');
    expect(readFileSync(at(bench, 'a'), 'utf8')).toBe('\ufeffone\nTWO\n');
  });

  test('an edit keeps mode bits', async () => {
    const bench = await open({ a: 'one\ntwo\n' });
    chmodSync(at(bench, 'a'), 0o755);
    await edit(bench, 'a', 'two', 'TWO');
    expect([text(bench, 'a'), statSync(at(bench, 'a')).mode & 0o777]).toEqual(['one\nTWO\n', 0o755]);
  });

  test('$&, $1, $$ and $` in the replacement are text', async () => {
    const bench = await open({ a: 'one\ntwo\n' });
    await edit(bench, 'a', 'two', "$& $1 $$ $` $' $<x>");
    expect(text(bench, 'a')).toBe("one\n$& $1 $$ $` $' $<x>\n");
  });

  test('bytes that are not UTF-8 survive an edit elsewhere', async () => {
    const bench = await open({ a: Buffer.from('caf\xe9 \xff\xfe\ntwo\n\xc3\n', 'latin1') });
    await edit(bench, 'a', 'two', 'TWO');
    expect(text(bench, 'a')).toBe('caf\xe9 \xff\xfe\nTWO\n\xc3\n');
  });

  test('a missing last newline stays missing', async () => {
    const bench = await open({ a: 'one\ntwo\nthree' });
    await edit(bench, 'a', 'two', 'TWO');
    expect(text(bench, 'a')).toBe('one\nTWO\nthree');
  });

  test('text that occurs twice is refused', async () => {
    const content = 'x\nsame\ny\nz\nw\nsame\nv\n';
    const bench = await open({ a: content });
    // A diff's line number may settle it, so this one lies in the middle between the two places.
    const answer =
      dialect === 'udiff'
        ? told(bench, 'edit_file', { patch: '--- a/a\n+++ b/a\n@@ -4 +4 @@\n-same\n+other\n' })
        : edit(bench, 'a', 'same', 'other');
    expect(await answer).toMatch(/^conflict: /);
    expect(text(bench, 'a')).toBe(content);
  });

  test('an edit through a link inside the workspace keeps the link and changes its target', async () => {
    const bench = await open({ 'd/real': 'one\ntwo\n' });
    symlinkSync('d/real', at(bench, 'link'));
    await edit(bench, 'link', 'two', 'TWO');
    expect([lstatSync(at(bench, 'link')).isSymbolicLink(), text(bench, 'd/real')]).toEqual([true, 'one\nTWO\n']);
  });

  test('overwriting is refused when the file changed since it was read', async () => {
    const bench = await open({ a: 'one\n' });
    await read(bench, 'a');
    writeFileSync(at(bench, 'a'), 'theirs\n');
    expect(await write(bench, 'a', 'mine\n')).toMatch(/^stale: /);
    expect(text(bench, 'a')).toBe('theirs\n');
    await read(bench, 'a');
    await write(bench, 'a', 'mine\n');
    expect(text(bench, 'a')).toBe('mine\n');
  });

  test('reading and writing through a link that leaves the workspace is refused', async () => {
    const outside = tempFolder({ secret: 'zzz-secret\n' });
    const bench = await open();
    symlinkSync(outside, at(bench, 'folder'));
    symlinkSync(join(outside, 'secret'), at(bench, 'file'));
    symlinkSync(join(outside, 'new'), at(bench, 'dangling'));
    for (const name of ['folder/secret', 'file']) {
      expect(await read(bench, name)).toMatch(/^outside: /);
      expect(await write(bench, name, 'x')).toMatch(/^outside: /);
      expect(await edit(bench, name, 'zzz-secret', 'x')).toMatch(/^outside: /);
    }
    expect(await write(bench, 'folder/new', 'x')).toMatch(/^outside: /);
    expect(await write(bench, 'dangling', 'x')).toMatch(/^outside: /);
    expect([readdirSync(outside), readFileSync(join(outside, 'secret'), 'utf8')]).toEqual([['secret'], 'zzz-secret\n']);
  });

  test('writing to ../ is refused', async () => {
    const scratch = tempFolder({ 'ws/a': '' });
    const bench = await benchOn(dialect, join(scratch, 'ws'));
    // rousseau takes absolute paths: spelled by hand, since joining would clean it.
    const answer =
      dialect === 'rousseau'
        ? await told(bench, 'write', { path: `${bench.root}/../out`, content: 'x' })
        : await write(bench, '../out', 'x');
    expect(answer).toMatch(/^outside: /);
    expect(readdirSync(scratch)).toEqual(['ws']);
  });

  test('a FIFO is refused at once, never waited for', async () => {
    const bench = await open();
    execFileSync('mkfifo', [at(bench, 'pipe')]);
    expect(await read(bench, 'pipe')).toMatch(/^conflict: .*not a regular file/);
    expect(await write(bench, 'pipe', 'x')).toMatch(/^conflict: .*not a regular file/);
    expect(await edit(bench, 'pipe', 'a', 'b')).toMatch(/^conflict: .*not a regular file/);
  });

  test('a file is replaced, not written in place: whoever holds the old one keeps it whole', async () => {
    const bench = await open({ a: 'one\ntwo\n' });
    chmodSync(at(bench, 'a'), 0o640);
    const before = statSync(at(bench, 'a'));
    await edit(bench, 'a', 'two', 'TWO');
    await write(bench, 'a', 'new\n');
    const after = statSync(at(bench, 'a'));
    expect([after.ino === before.ino, after.mode, readdirSync(bench.root)]).toEqual([false, before.mode, ['a']]);
  });
});

describe.each(commands)('commands of %s', (dialect) => {
  test.skipIf(process.platform !== 'linux' || dialect === 'rousseau')(
    'a limit ends the command and its background child',
    async () => {
      const tag = `robust-${process.pid}-${dialect}`;
      const bench = await benchOn(dialect, tempFolder());
      const command = `TAG=${tag} sh -c 'sleep 300; :' & echo before; TAG=${tag} sh -c 'sleep 300; :'`;
      expect(await bench.error('bash', { command, timeout: 2000 })).toMatch(/^timeout: .*before/s);
      expect(processesWith(tag)).toEqual([]);
    },
  );

  test('`child & echo started` returns at once', async () => {
    const bench = await benchOn(dialect, tempFolder());
    const result = await bench.call('bash', { command: 'sleep 25 & echo started' });
    expect([result.ok, result.text.includes('started')]).toEqual([true, true]);
  }, 20_000);
});

describe('in a process of its own', () => {
  const child = join(import.meta.dirname, 'support/call-child.ts');

  const place = (files: Record<string, string | Buffer>, args: object) => {
    const folder = tempFolder({ 'args.json': JSON.stringify(args) });
    mkdirSync(join(folder, 'ws'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'ws', name), content);
    return { folder, root: join(folder, 'ws') };
  };
  const words = (folder: string, dialect: string, tool: string) => [
    '--import',
    'tsx',
    child,
    join(folder, 'ws'),
    join(folder, 'home'),
    dialect,
    tool,
    join(folder, 'args.json'),
  ];

  test.each(['native', 'rousseau'])(
    '%s: 1 GB from yes within bounded memory',
    (dialect) => {
      const most = (command: string) => {
        const { folder } = place({}, { command });
        const { stdout, stderr } = spawnSync(process.execPath, words(folder, dialect, 'bash'), { encoding: 'utf8' });
        expect(stderr).toBe('');
        return JSON.parse(stdout) as { result: ToolResult; maxMb: number };
      };
      const flood = most('yes | head -c 1000000000');
      expect([flood.result.ok, flood.result.text.length <= 30_000]).toEqual([true, true]);
      expect(flood.result.text).toMatch(/\n\.\.\. \[truncated 999,\d{3},\d{3} bytes\]/);
      expect(flood.maxMb - most('echo hi').maxMb).toBeLessThan(120);
    },
    120_000,
  );

  test.each([
    ['native', 'write_file'],
    ['rousseau', 'write'],
  ])(
    '%s: kill -9 at the first sign of writing a 66 MB file leaves the old one whole',
    async (dialect, tool) => {
      const old = 'o'.repeat(66_000_000);
      const { folder, root } = place({ big: old }, {});
      const path = dialect === 'rousseau' ? join(root, 'big') : 'big';
      writeFileSync(join(folder, 'args.json'), JSON.stringify({ path, content: 'n'.repeat(66_000_000) }));
      const running = spawn(process.execPath, words(folder, dialect, tool), { stdio: 'ignore' });
      const watcher = watch(root, () => running.kill('SIGKILL'));
      const [, signal] = await once(running, 'exit');
      watcher.close();
      expect(signal).toBe('SIGKILL');
      expect(readFileSync(join(root, 'big'), 'utf8') === old).toBe(true);
      // The next start takes away what was begun.
      writeFileSync(join(folder, 'args.json'), JSON.stringify({ path: dialect === 'rousseau' ? root : '.' }));
      spawnSync(process.execPath, words(folder, dialect, dialect === 'rousseau' ? 'read' : 'list_dir'));
      expect([readdirSync(root), existsSync(join(root, 'big'))]).toEqual([['big'], true]);
    },
    60_000,
  );
});
