import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nativeDeleteFile } from '../../src/tools/delete.ts';
import { nativeGrep } from '../../src/tools/grep-native.ts';
import { listDir } from '../../src/tools/list.ts';
import { nativeMoveFile } from '../../src/tools/move.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

describe('a read-only mount, and a folder of the workspace that is called the same', () => {
  const bench = () => {
    const root = tempFolder({ '@output/7': 'mine\n' });
    const outputs = tempFolder({ '7': 'output\n' });
    return { root, mounts: { '@output': outputs } };
  };
  const listed = {
    code: 'conflict',
    text: '@output is no part of the workspace: it is not listed. Read and search its files by their names.',
  };
  const readOnly = { code: 'denied', text: '@output/7 lies in @output, which is read-only. Nothing was changed.' };

  test('is neither deleted from nor moved from', async () => {
    expect(await callTool(nativeDeleteFile, { path: '@output/7' }, bench())).toMatchObject(readOnly);
    expect(await callTool(nativeMoveFile, { from: '@output/7', to: 'x' }, bench())).toMatchObject(readOnly);
  });

  test('is searched when it is named, by itself', async () => {
    const grep = nativeGrep({ ignoreFiles: ['.gitignore'] });
    for (const path of ['@output/7', '@output']) {
      expect((await callTool(grep, { pattern: 'out', paths: [path] }, bench())).text).toBe('@output/7:1: output');
    }
    expect((await callTool(grep, { pattern: '.', paths: ['./@output/7'] }, bench())).text).toBe('@output/7:1: mine');
    expect((await callTool(grep, { pattern: '.' }, bench())).text).toBe('@output/7:1: mine');
    expect(await callTool(grep, { pattern: '.', paths: ['@output/7', '.'] }, bench())).toMatchObject({
      code: 'conflict',
      text: '@output: search it by itself, not with other paths.',
    });
  });

  test('a link in it leads nowhere', async () => {
    const { root, mounts } = bench();
    symlinkSync('/etc/passwd', join(mounts['@output'], 'link'));
    const grep = nativeGrep({ ignoreFiles: [] });
    expect((await callTool(grep, { pattern: 'root', paths: ['@output'] }, { root, mounts })).text).toBe('No matches.');
  });

  test('is not listed', async () => {
    expect(await callTool(listDir({ ignoreFiles: [] }), { path: '@output' }, bench())).toMatchObject(listed);
  });
});
