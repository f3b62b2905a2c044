import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { builtChild } from './support/build-child.ts';
import { quickFolder } from './support/scene-places.ts';

const child = builtChild('nobody-child');
const isRoot = process.getuid?.() === 0;

/** A small file system of its own, or undefined where none can be mounted. */
function mountSmall(options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'benchdog-mount-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

async function editIn(root: string, text: string) {
  const workspace = openWorkspace({ root });
  const journal = await openJournal({ home: quickFolder(), root: workspace.root });
  const path = workspace.resolve('a');
  const before = await workspace.read(path);
  const origin = { callId: 'c', session: 's', tool: 't' };
  const create = { type: 'create', path: workspace.resolve('b'), after: fileState(Buffer.from('b')) } as const;
  return commit([create, { type: 'modify', path, before, after: fileState(Buffer.from(text), before.mode) }], {
    workspace,
    journal,
    origin,
  });
}

describe('a user who is not root', () => {
  test.runIf(isRoot)('keeps owners by writing in place, and is told where writing is not permitted', () => {
    const [root, home] = [quickFolder(), quickFolder()];
    for (const folder of [root, home]) chmodSync(folder, 0o777);
    chownSync(home, 65534, 65534);
    writeFileSync(join(root, 'theirs-open'), 'old');
    chmodSync(join(root, 'theirs-open'), 0o666);
    writeFileSync(join(root, 'theirs-closed'), 'old');
    mkdirSync(join(root, 'fixed'));
    writeFileSync(join(root, 'fixed/mine'), 'old');
    chownSync(join(root, 'fixed/mine'), 65534, 65534);
    chmodSync(join(child, '..'), 0o755);
    const said: Record<string, string> = JSON.parse(
      execFileSync(process.execPath, [child, root, home], { encoding: 'utf8' }),
    );
    expect(said).toEqual({
      'theirs-open': 'done, owner 0, mode 666',
      'theirs-closed': expect.stringMatching(/^No permission to write there\. \(EACCES: .*\) Nothing was changed\.$/),
      'fixed/mine': 'done, owner 65534, mode 644',
      'fixed/new': expect.stringMatching(/^No permission to write there\. \(EACCES: .*\) Nothing was changed\.$/),
    });
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      'fixed',
      'fixed/mine',
      'theirs-closed',
      'theirs-open',
    ]);
    expect(readFileSync(join(root, 'theirs-closed'), 'utf8')).toBe('old');
  });
});

describe('a file system', () => {
  test.runIf(isRoot)('that is full: nothing is lost', async ({ skip }) => {
    const root = mountSmall('size=256k') ?? skip();
    writeFileSync(join(root, 'a'), 'old'.repeat(20_000));
    await expect(editIn(root, 'new'.repeat(80_000))).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/^The disk is full\. \(ENOSPC: .*\) Nothing was changed\.$/),
    });
    expect(readdirSync(root)).toEqual(['a']);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old'.repeat(20_000));
  });

  test.runIf(isRoot)('that is read-only', async ({ skip }) => {
    const root = mountSmall('size=256k') ?? skip();
    writeFileSync(join(root, 'a'), 'old');
    execFileSync('mount', ['-o', 'remount,ro', root]);
    await expect(editIn(root, 'new')).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/^The file system is read-only\. \(EROFS: .*\) Nothing was changed\.$/),
    });
  });

  test.runIf(isRoot)('that is full under the journal', async ({ skip }) => {
    const home = mountSmall('size=64k') ?? skip();
    const root = quickFolder();
    writeFileSync(join(root, 'a'), 'old'.repeat(50_000));
    const workspace = openWorkspace({ root });
    const journal = await openJournal({ home, root: workspace.root });
    const path = workspace.resolve('a');
    const before = await workspace.read(path);
    const changes = [{ type: 'modify', path, before, after: fileState(Buffer.from('new')) }] as const;
    await expect(
      commit(changes, { workspace, journal, origin: { callId: 'c', session: 's', tool: 't' } }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/^The disk is full\. .* Nothing was changed\.$/) });
    expect(readdirSync(root)).toEqual(['a']);
    expect(journal.entries()).toEqual([]);
    journal.close();
  });
});
