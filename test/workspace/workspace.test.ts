import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

describe('reading', () => {
  it('gives bytes, mode and digest', async () => {
    const root = tempFolder({ 'a.sh': 'echo\n' });
    chmodSync(join(root, 'a.sh'), 0o750);
    const workspace = openWorkspace({ root });
    const bytes = Buffer.from('echo\n');
    expect(await workspace.read(workspace.resolve('a.sh'))).toEqual({
      kind: 'file',
      bytes,
      mode: 0o750,
      digest: digestOf(bytes),
      mtimeMs: expect.any(Number),
    });
  });

  it('reads nothing but regular files, at once', async () => {
    const root = tempFolder({ 'd/x': '' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'sock'));
    await once(server, 'listening');
    const workspace = openWorkspace({ root });
    for (const [name, what] of Object.entries({ pipe: 'a named pipe', sock: 'a socket', d: 'a directory' })) {
      await expect(workspace.read(workspace.resolve(name))).rejects.toMatchObject({
        code: 'conflict',
        message: `path is not a regular file: ${name} is ${what}.`,
      });
    }
    server.close();
    await once(server, 'close');
  });

  it('refuses a file over the limit, naming it, also when it says it is empty', async () => {
    const root = tempFolder({ 'a.txt': 'x'.repeat(3000) });
    const workspace = openWorkspace({ root });
    const path = workspace.resolve('a.txt');
    expect((await workspace.read(path, { maxBytes: 3000 })).bytes).toHaveLength(3000);
    await expect(workspace.read(path, { maxBytes: 1024 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'a.txt is too large to be read whole: 2.9 KB, at most 1 KB. Read a part of it, or search it.',
    });
    const proc = openWorkspace({ root: '/proc' });
    await expect(proc.read(proc.resolve('meminfo'), { maxBytes: 100 })).rejects.toThrow(
      'meminfo is too large to be read whole: more than 100 bytes, at most 100 bytes.',
    );
    expect((await proc.read(proc.resolve('meminfo'))).bytes.toString()).toContain('MemTotal');
  });

  it('reads files at the borders of its buffer whole', async () => {
    for (const size of [0, 1, 4095, 4096, 4097, 65_536]) {
      const workspace = openWorkspace({ root: tempFolder({ a: 'z'.repeat(size) }) });
      expect((await workspace.read(workspace.resolve('a'))).bytes.equals(Buffer.alloc(size, 'z'))).toBe(true);
    }
  });

  it('tells over-long names', async () => {
    const workspace = openWorkspace({ root: tempFolder() });
    await expect(workspace.read(workspace.resolve('n'.repeat(300)))).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('stat and list', () => {
  it('says what is there without following a final link', () => {
    const root = tempFolder({ 'a/b.txt': 'xy' });
    const workspace = openWorkspace({ root });
    expect(workspace.stat(workspace.resolve('a/b.txt'))?.size).toBe(2);
    expect(workspace.stat(workspace.resolve('.'))?.isDirectory()).toBe(true);
    for (const absent of ['gone', 'gone/deep', 'a/b.txt/c']) {
      expect(workspace.stat(workspace.resolve(absent))).toBeUndefined();
    }
  });

  it('lists by name, links as links, and refuses what is no folder', async () => {
    const root = tempFolder({ 'b.txt': 'xy', 'B/x': '' });
    symlinkSync('/etc', join(root, 'a'));
    const workspace = openWorkspace({ root });
    expect(await workspace.list(workspace.resolve('.'))).toEqual([
      { name: 'B', kind: 'directory', size: 0 },
      { name: 'a', kind: 'symlink', size: 0 },
      { name: 'b.txt', kind: 'file', size: 2 },
    ]);
    await expect(workspace.list(workspace.resolve('b.txt'))).rejects.toThrow('path is not a directory: b.txt');
    await expect(workspace.list(workspace.resolve('gone'))).rejects.toThrow('No such directory: gone');
  });
});

describe('visibility', () => {
  it('is asked with the real and the given path', async () => {
    const root = tempFolder({ 'real.txt': '' });
    symlinkSync('real.txt', join(root, 'link.txt'));
    const asked: string[][] = [];
    const visible = ({ rel, given }: { rel: string; given: string }) => {
      asked.push([rel, given]);
      return 'secret (rule 3)';
    };
    const workspace = openWorkspace({ root, visible });
    const path = workspace.resolve('link.txt');
    expect(workspace.visible(path)).toBe(false);
    expect(workspace.refusal(path)).toBe('Reading link.txt is denied: secret (rule 3)');
    await expect(workspace.read(path)).rejects.toMatchObject({ code: 'denied' });
    expect(asked).toEqual(Array(3).fill(['real.txt', 'link.txt']));
  });

  it('refuses before anything is opened', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'a'), '');
    const workspace = openWorkspace({ root, visible: () => false });
    await expect(workspace.read(workspace.resolve('not-there'))).rejects.toMatchObject({ code: 'denied' });
  });
});
