import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerSlot } from '../../src/tool/ledger.ts';
import { shiroReadFile } from '../../src/tools/read.ts';
import { fairShares, shiroReadManyFiles } from '../../src/tools/read-many.ts';
import { tempFolder } from '../support/folders.ts';
import { reader } from './read-support.ts';

const many = (root: string, files: readonly object[], visible = (path: { rel: string }) => path.rel !== '.env') =>
  reader({ root, visible }).call(shiroReadManyFiles, { files });

describe('read_many_files', () => {
  it('gives labelled blocks in the order asked, failures in their own block', async () => {
    const root = tempFolder({ 'src/app.ts': 'export const port = 8080;\n', 'b.txt': 'a\nb\nc\n' });
    const { code, text } = await many(root, [
      { path: 'src/app.ts' },
      { path: 'src/gone.ts' },
      { path: 'b.txt', offset: 2, limit: 1 },
    ]);
    expect([code, text]).toEqual([
      'ok',
      `===== src/app.ts =====
1: export const port = 8080;

===== src/gone.ts =====
[unreadable: No such file: src/gone.ts]

===== b.txt =====
2: b
... [lines 2-2; continue with offset 3]`,
    ]);
  });

  it('B049: a pipe takes no other file down', async () => {
    const root = tempFolder({ 'ok.txt': 'fine\n' });
    execFileSync('mkfifo', [join(root, 'live.pipe')]);
    expect((await many(root, [{ path: 'live.pipe' }, { path: 'ok.txt' }])).text).toBe(
      `===== live.pipe =====
[unreadable: path is not a regular file: live.pipe is a named pipe.]

===== ok.txt =====
1: fine`,
    );
  });

  it('reports a path outside and a denied one in their blocks, without an effect', async () => {
    const root = tempFolder({ '.env': 'zzz-secret', 'a.txt': 'a' });
    const { text, effects } = await many(root, [{ path: '../x' }, { path: '.env' }, { path: 'a.txt' }]);
    expect(text).toBe(
      `===== ../x =====
[unreadable: path is outside the workspace: ../x]

===== .env =====
[unreadable: Reading .env is denied.]

===== a.txt =====
1: a`,
    );
    expect(effects).toMatchObject([{ kind: 'read', path: { rel: 'a.txt' } }]);
  });

  it('fails only when every file failed, with their common code', async () => {
    const root = tempFolder({ '.env': 'zzz-secret' });
    const denied = await many(root, [{ path: '.env' }]);
    expect([denied.code, denied.text]).toEqual(['denied', '===== .env =====\n[unreadable: Reading .env is denied.]']);
    expect((await many(root, [{ path: '.env' }, { path: 'gone' }])).code).toBe('failed');
    expect((await many(root, [{ path: 'gone' }, { path: 'gone2' }])).code).toBe('missing');
  });

  it('takes 1 to 20 files', async () => {
    const root = tempFolder({ 'a.txt': 'a' });
    const files = (count: number) => Array.from({ length: count }, () => ({ path: 'a.txt' }));
    expect((await many(root, files(20))).code).toBe('ok');
    expect((await many(root, files(21))).code).toBe('invalid');
    expect((await many(root, [])).code).toBe('invalid');
  });

  it('numbers and refuses as read_file does', async () => {
    const root = tempFolder({ bin: 'a\0', 'a.txt': 'x\r\ny' });
    const { call } = reader({ root });
    for (const path of ['bin', 'a.txt', 'gone', '../up']) {
      const one = await call(shiroReadFile, { path });
      const batch = await call(shiroReadManyFiles, { files: [{ path }, { path: 'a.txt' }] });
      const block = batch.text.split('\n\n')[0];
      expect(block).toBe(`===== ${path} =====\n${one.code === 'ok' ? one.text : `[unreadable: ${one.text}]`}`);
    }
  });

  it('shares 30,000 characters fairly: small files whole, large ones with a way to continue', async () => {
    const root = tempFolder({ 'small.txt': 'tiny\n', 'big.txt': `${'z'.repeat(99)}\n`.repeat(900) });
    const { text } = await many(root, [{ path: 'big.txt' }, { path: 'small.txt' }, { path: 'big.txt', offset: 500 }]);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toContain('===== small.txt =====\n1: tiny\n\n');
    expect(text.match(/continue with offset \d+\]/g)).toHaveLength(2);
    expect(text.length).toBeGreaterThan(28_000);
  });

  it('notes every file in the ledger and fits its budget', async () => {
    const { call, state, workspace } = reader({ root: tempFolder({ 'a.txt': 'a', 'b.txt': 'b' }) });
    await call(shiroReadManyFiles, { files: [{ path: 'a.txt' }, { path: 'b.txt' }] });
    const ledger = state.get(ledgerSlot);
    for (const path of ['a.txt', 'b.txt']) expect(ledger.of(workspace.resolve(path))?.digest).toHaveLength(64);
    const { name, description, input: schema } = shiroReadManyFiles;
    expect(Buffer.byteLength(JSON.stringify({ name, description, schema }))).toBeLessThanOrEqual(972);
    expect([shiroReadManyFiles.set, shiroReadManyFiles.readOnly]).toEqual(['edit-plus', true]);
  });
});

describe('fairShares', () => {
  it('gives everyone what it needs while that is no more than an equal share', () => {
    expect(fairShares([5, 100, 100], 105)).toEqual([5, 50, 50]);
    expect(fairShares([1, 2], 100)).toEqual([1, 2]);
    expect(fairShares([10, 10], 0)).toEqual([0, 0]);
  });
});
