import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { anchorFolder, anchorParent, handlesWork } from '../../src/workspace/anchor.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

/** Both ways of holding a folder: by handle where the system can, and by name everywhere. */
const ways = handlesWork ? [true, false] : [false];

function refusal(work: () => unknown): [string, string] {
  try {
    work();
    return ['ok', ''];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [error.code, error.message];
  }
}

function moved(given: string): [string, string] {
  return [
    'outside',
    `A folder on the way to ${given} was moved or became a link while it was used. Nothing was read or written.`,
  ];
}

describe.each(ways)('an anchor (handles: %s)', (handles) => {
  const setup = (files: Record<string, string> = {}) => {
    const top = tempFolder({ 'outside/keep.txt': 'precious\n' });
    const ws = join(top, 'ws');
    mkdirSync(ws);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(ws, name, '..'), { recursive: true });
      writeFileSync(join(ws, name), text);
    }
    const { root, resolve } = openWorkspace({ root: ws });
    return { ws, out: join(top, 'outside'), root, resolve };
  };

  it('reaches entries of the folder, and the root by itself', () => {
    const { root, resolve } = setup({ 'a/b/c.txt': 'x' });
    const anchor = anchorParent(root, resolve('a/b/c.txt'), { handles });
    expect(anchor.name).toBe('c.txt');
    expect(readdirSync(anchor.at('.'))).toEqual(['c.txt']);
    anchor.verify();
    anchor.close();
    const top = anchorParent(root, resolve('.'), { handles });
    expect([top.name, readdirSync(top.at('.'))]).toEqual(['.', ['a']]);
    top.close();
  });

  it('makes missing folders only when asked', () => {
    const { ws, root, resolve } = setup();
    const path = resolve('new/deep/x.txt');
    expect(refusal(() => anchorParent(root, path, { handles }))).toEqual(['missing', 'No such file: new/deep/x.txt']);
    anchorParent(root, path, { handles, create: true }).close();
    expect(existsSync(join(ws, 'new/deep'))).toBe(true);
    const beside = refusal(() => anchorParent(root, path, { handles, create: true }).close());
    expect(beside).toEqual(['ok', '']);
  });

  it('refuses a folder that became a link after the check (B110)', () => {
    const { ws, out, root, resolve } = setup({ 'out/keep.txt': 'old\n' });
    const path = resolve('out/keep.txt');
    renameSync(join(ws, 'out'), join(ws, 'out.bak'));
    symlinkSync('../outside', join(ws, 'out'));
    expect(refusal(() => anchorParent(root, path, { handles, create: true }))).toEqual(moved('out/keep.txt'));
    expect(readdirSync(out)).toEqual(['keep.txt']);
  });

  it('makes no folder behind a link that appears where a folder was to be made', () => {
    const { ws, out, root, resolve } = setup();
    const path = resolve('new/deep/x.txt');
    symlinkSync('../outside', join(ws, 'new'));
    expect(refusal(() => anchorParent(root, path, { handles, create: true }))).toEqual(moved('new/deep/x.txt'));
    expect(readdirSync(out)).toEqual(['keep.txt']);
  });

  it('tells when the held folder was moved away or deleted', () => {
    const { ws, out, root, resolve } = setup({ 'a/x.txt': '', 'b/x.txt': '' });
    const a = anchorParent(root, resolve('a/x.txt'), { handles });
    renameSync(join(ws, 'a'), join(out, 'taken'));
    expect(refusal(a.verify)).toEqual(moved('a/x.txt'));
    a.close();
    const b = anchorParent(root, resolve('b/x.txt'), { handles });
    rmSync(join(ws, 'b'), { recursive: true });
    mkdirSync(join(ws, 'b'));
    expect(refusal(b.verify)).toEqual(moved('b/x.txt'));
    b.close();
  });

  it('says that a name on the way is a file', () => {
    const { root, resolve } = setup({ 'a.txt': '' });
    for (const create of [false, true]) {
      const [code] = refusal(() => anchorParent(root, resolve('a.txt/x/y'), { handles, create }));
      expect(code).toBe('missing');
    }
  });
});

describe('anchors and mounts', () => {
  it('never write into a mount, and find its own root', () => {
    const kept = tempFolder({ '7': 'kept' });
    const workspace = openWorkspace({ root: tempFolder(), mounts: { '@output': kept } });
    const path = workspace.resolve('@output/7');
    expect(path).toMatchObject({ rel: '@output/7', given: '@output/7', mount: '@output', abs: join(kept, '7') });
    const root = workspace.rootOf(path);
    expect(refusal(() => anchorParent(root, path, { create: true }))).toEqual([
      'denied',
      '@output/7 lies in @output, which is read-only.',
    ]);
    expect(() => anchorParent(workspace.root, path)).toThrow('@output/7 was resolved below another root');
    const folder = anchorFolder(root, workspace.resolve('@output'));
    expect(readdirSync(folder.at('.'))).toEqual(['7']);
    folder.close();
  });

  it('a real folder of that name is reached with ./', () => {
    const root = tempFolder({ '@output/7': 'mine' });
    const workspace = openWorkspace({ root, mounts: { '@output': tempFolder() } });
    expect(workspace.resolve('./@output/7').mount).toBeUndefined();
    expect(workspace.resolve('@outputs/7').mount).toBeUndefined();
  });
});

describe.runIf(process.platform === 'linux')('odd circumstances', () => {
  /** Runs a script in another Node process, as it would be in ours. */
  function script(ws: string, body: string, shell: string, user = ''): string {
    const source = `
      import { openWorkspace } from './src/workspace/workspace.ts';
      const workspace = openWorkspace({ root: ${JSON.stringify(ws)} });
      ${body}`;
    const node = `${process.execPath} --import tsx --input-type=module -e "$SOURCE"`;
    const command = `${shell} ${user === '' ? '' : `setpriv --reuid ${user} --regid ${user} --clear-groups`} ${node}`;
    return execFileSync('bash', ['-c', command], { encoding: 'utf8', env: { ...process.env, SOURCE: source } }).trim();
  }

  it('says what to do when no more files can be opened, and leaks none', () => {
    const ws = tempFolder({ 'a/b.txt': 'x' });
    const body = `
      import { openSync, closeSync, readdirSync, readlinkSync } from 'node:fs';
      const path = workspace.resolve('a/b.txt');
      // Not all handles: the loader's thread opens and closes some of its own meanwhile.
      const handles = () => readdirSync('/proc/self/fd').filter((fd) => {
        try { return readlinkSync('/proc/self/fd/' + fd).startsWith(workspace.root.real); } catch { return false; }
      });
      const held = [];
      try { for (;;) held.push(openSync('/dev/null')); } catch {}
      const told = [];
      for (let free = 0; free < 5; free += 1) {
        told.push(await workspace.read(path).then(() => 'read', (error) => error.message));
        closeSync(held.pop());
      }
      for (let i = 0; i < 100; i += 1) {
        await workspace.read(path);
        await workspace.read(workspace.resolve('a/gone')).catch(() => {});
        await workspace.read(workspace.resolve('a')).catch(() => {});
        await workspace.list(workspace.resolve('a'));
        workspace.stat(path);
      }
      console.log(JSON.stringify({ told, leaked: handles() }));`;
    const { told, leaked } = JSON.parse(script(ws, body, 'ulimit -n 60;'));
    const clear = 'Too many open files to open a/b.txt: wait for running calls, or raise the limit (ulimit -n).';
    const root = `Too many open files to open ${ws}: wait for running calls, or raise the limit (ulimit -n).`;
    expect(told[0]).toBe(root);
    for (const one of told) expect([root, clear, 'read']).toContain(one);
    expect(told.at(-1)).toBe('read');
    expect(leaked).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('goes through folders that may be entered but not listed', () => {
    const ws = tempFolder({ 'x/y/a.txt': 'through', 'x/secret.txt': 'no', 'shut/a.txt': 'no' });
    execFileSync('bash', ['-c', 'chmod 755 . ; chmod 711 x x/y; chmod 600 x/secret.txt; chmod 700 shut'], { cwd: ws });
    const body = `
      const told = [];
      for (const text of ['x/y/a.txt', 'x/secret.txt', 'shut/a.txt', 'shut/new/b.txt']) {
        told.push(await workspace.read(workspace.resolve(text)).then((one) => one.bytes.toString(), (error) => error.message));
      }
      told.push(await workspace.list(workspace.resolve('x')).catch((error) => error.message));
      console.log(JSON.stringify(told));`;
    const denied = (path: string) => `No permission for ${path}: the system refuses the user who runs this.`;
    expect(JSON.parse(script(ws, body, '', '65534'))).toEqual([
      'through',
      denied('x/secret.txt'),
      denied('shut/a.txt'),
      denied('shut/new/b.txt'),
      denied('x'),
    ]);
  });
});
