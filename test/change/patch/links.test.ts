import { execFileSync } from 'node:child_process';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openGate } from '../../../src/open-gate.ts';
import { tempFolder } from '../../support/folders.ts';
import { applyTo, contentOf, planPatch } from './patched.ts';

function git(root: string, ...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' });
}

/** A repository with a file and a link to it, and the diff git makes of what `change` does to it, undone again. */
function diffOf(change: (root: string) => void): { root: string; patch: string } {
  const root = tempFolder({ 'real.txt': 'a\n', 'sub/b.txt': 'b\n' });
  symlinkSync('real.txt', join(root, 'link'));
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'x');
  change(root);
  git(root, 'add', '-A');
  const patch = git(root, 'diff', '--cached', '-M', '--no-ext-diff');
  git(root, 'reset', '-q', '--hard');
  return { root, patch };
}

const changes: Record<string, (root: string) => void> = {
  'a link is deleted': (root) => rmSync(join(root, 'link')),
  'a link is retargeted': (root) => {
    rmSync(join(root, 'link'));
    symlinkSync('sub/b.txt', join(root, 'link'));
  },
  'a link is renamed': (root) => git(root, 'mv', 'link', 'other'),
  'a link is renamed and dangles': (root) => git(root, 'mv', 'link', 'sub/link'),
  'a link becomes a file': (root) => {
    rmSync(join(root, 'link'));
    writeFileSync(join(root, 'link'), 'text\n');
  },
  'a file becomes a link': (root) => {
    rmSync(join(root, 'real.txt'));
    symlinkSync('sub/b.txt', join(root, 'real.txt'));
  },
};

describe('what git writes when', () => {
  test.each(Object.entries(changes))('%s, applies to what git has', async (_, change) => {
    const { root, patch } = diffOf(change);
    const other = tempFolder();
    git(other, 'clone', '-q', root, 'c');
    change(join(other, 'c'));
    await applyTo(root, patch);
    expect(contentOf(root)).toEqual(contentOf(join(other, 'c')));
  });
});

const retarget = (from: string, to: string) =>
  'diff --git a/link b/link\nindex 1..2 120000\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n' +
  `-${from}\n\\ No newline at end of file\n+${to}\n\\ No newline at end of file\n`;

test('a link is not led out of the workspace, by another target or by another place', async () => {
  const root = tempFolder({ 'a/real.txt': '' });
  symlinkSync('a', join(root, 'link'));
  symlinkSync('../a', join(root, 'a/up'));
  await expect(planPatch(root, retarget('a', '../x'))).rejects.toThrow('The symbolic link link would lead to "../x"');
  await expect(planPatch(root, 'diff --git a/a/up b/up\nrename from a/up\nrename to up\n')).rejects.toThrow(
    'The symbolic link up would lead to "../a", which may be outside the workspace. No files were modified.',
  );
  symlinkSync('/etc', join(root, 'out'));
  const gone = 'diff --git a/out b/out\ndeleted file mode 120000\n--- a/out\n+++ /dev/null\n@@ -1 +0,0 @@\n-/etc\n';
  await expect(planPatch(root, gone)).rejects.toThrow('path is outside the workspace: out');
});

test('the target must be what the patch says, and the link a link', async () => {
  const root = tempFolder({ 'a/real.txt': '', b: 'a' });
  symlinkSync('a', join(root, 'link'));
  await expect(planPatch(root, retarget('other', 'b'))).rejects.toThrow('apply patch to link: hunk 1');
  const patch = retarget('a', 'a/real.txt');
  await expect(planPatch(root, patch.replaceAll('link\n', 'b\n').replaceAll('/link', '/b'))).rejects.toThrow(
    'b is no symbolic link, though the patch says so. No files were modified.',
  );
  await expect(planPatch(root, patch.replaceAll('/link', '/gone'))).rejects.toThrow(
    'No such file: gone. No files were modified.',
  );
});

test('through the gate, and back: the link itself changes, what it leads to does not', async () => {
  const root = tempFolder({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  symlinkSync('a.txt', join(root, 'link'));
  const { gate, close } = await openGate({ root, home: tempFolder(), approve: 'edits' });
  onTestFinished(close);
  const call = (tool: string, args: object) => gate.call({ id: '1', tool, args });
  const before = contentOf(root);
  expect(await call('apply_patch', { patch: retarget('a.txt', 'b.txt') })).toMatchObject({ text: 'modified link' });
  expect(contentOf(root)).toEqual({ ...before, link: '-> b.txt' });
  const swap =
    'diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n' +
    'diff --git a/a.txt b/a.txt\nnew file mode 120000\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+b.txt\n\\ No newline at end of file\n' +
    'diff --git a/link b/link\ndeleted file mode 120000\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-b.txt\n\\ No newline at end of file\n' +
    'diff --git a/link b/link\nnew file mode 100755\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+text\n';
  expect(await call('apply_patch', { patch: swap })).toMatchObject({ text: 'modified a.txt\nmodified link' });
  expect(contentOf(root)).toEqual({ 'a.txt': '-> b.txt', 'b.txt': 'b\n', link: 'text\n' });
  expect(statSync(join(root, 'link')).mode & 0o777).toBe(0o755);
  expect(await call('undo', { steps: 2 })).toMatchObject({ ok: true });
  expect(contentOf(root)).toEqual(before);
});
