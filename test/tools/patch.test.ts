import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { createToolState } from '../../src/tool/state.ts';
import type { Call, ToolContext } from '../../src/tool/tool.ts';
import { patchTool } from '../../src/tools/patch.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { contentOf } from '../change/patch/patched.ts';
import { tempFolder } from '../support/folders.ts';

const editFile = patchTool({ name: 'edit_file' });

function prepare(root: string, raw: unknown, workspace = openWorkspace({ root, pathStyle: 'rooted' })): Promise<Call> {
  const context: ToolContext = {
    workspace,
    callId: 'call-1',
    signal: new AbortController().signal,
    state: createToolState(),
    emit: () => {},
  };
  return editFile.prepare(raw, context);
}

const effectsOf = (call: Call) =>
  call.effects.map((effect) => ('path' in effect ? `${effect.kind} ${effect.path.rel}` : effect.kind));

test('takes a patch and nothing else', async () => {
  const root = tempFolder();
  expect(editFile.input).toMatchObject({ required: ['patch'], additionalProperties: false });
  await expect(prepare(root, { patch: 'x', path: 'a' })).rejects.toThrow(
    'invalid edit_file arguments: json: unknown field "path"',
  );
  await expect(prepare(root, '{}')).rejects.toThrow('invalid edit_file arguments: field "patch" is required');
  await expect(prepare(root, { patch: '' })).rejects.toThrow('The patch holds no change.');
});

test('modifies, creates, deletes and renames in one patch, one line a file', async () => {
  const root = tempFolder({
    'main.go': 'package main\nvar x = 1\nfunc main() {}\n',
    'old.txt': 'x\ny\n',
    'from.txt': 'same\n',
  });
  const patch =
    '--- a/main.go\n+++ b/main.go\n@@ -1,3 +1,3 @@\n package main\n-var x = 1\n+var x = 2\n func main() {}\n' +
    '--- /dev/null\n+++ b/notes/new.txt\n@@ -0,0 +1,2 @@\n+hello\n+world\n' +
    '--- a/old.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n' +
    'diff --git a/from.txt b/sub/to.txt\nsimilarity index 100%\nrename from from.txt\nrename to sub/to.txt\n';
  const call = await prepare(root, JSON.stringify({ patch }));
  expect(call.subject).toBe('main.go, notes/new.txt, old.txt, from.txt -> sub/to.txt');
  expect(effectsOf(call)).toEqual([
    'read main.go',
    'write main.go',
    'write notes/new.txt',
    'read old.txt',
    'delete old.txt',
    'read from.txt',
    'delete from.txt',
    'write sub/to.txt',
  ]);
  const plan = await call.plan();
  expect(plan).toMatchObject({
    type: 'change',
    done: 'modified main.go\ncreated notes/new.txt\ndeleted old.txt\nrenamed from.txt -> sub/to.txt',
    changes: [
      { type: 'modify', after: { bytes: Buffer.from('package main\nvar x = 2\nfunc main() {}\n'), mode: 0o644 } },
      { type: 'create', after: { bytes: Buffer.from('hello\nworld\n'), mode: 0o644 } },
      { type: 'delete', before: { bytes: Buffer.from('x\ny\n') } },
      { type: 'rename', before: { bytes: Buffer.from('same\n') }, after: { bytes: Buffer.from('same\n') } },
    ],
  });
});

test('effects name the real place behind a link, and a link out is refused', async () => {
  const root = tempFolder({ 'ws/real/a.txt': 'a\n', 'outside/s.txt': 'zzz-secret\n' });
  const workspace = join(root, 'ws');
  symlinkSync('real', join(workspace, 'door'));
  symlinkSync('../outside', join(workspace, 'out'));
  const call = await prepare(workspace, { patch: '--- a/door/a.txt\n+++ b/door/a.txt\n@@ -1 +1 @@\n-a\n+b\n' });
  expect(effectsOf(call)).toEqual(['read real/a.txt', 'write real/a.txt']);
  const create = '--- /dev/null\n+++ b/out/new2.txt\n@@ -0,0 +1 @@\n+x\n';
  await expect(prepare(workspace, { patch: create })).rejects.toThrow('path is outside the workspace: out/new2.txt');
});

test('a directory is no file to patch', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'pipe'));
  const call = await prepare(root, { patch: '--- a/pipe\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' });
  await expect(call.plan()).rejects.toThrow('path is not a regular file: pipe is a directory. No files were modified.');
});

test('what was planned is what the one writer commits', async () => {
  const root = tempFolder({ 'ws/a.txt': 'a\n', 'ws/gone.txt': 'x\n', 'ws/from.txt': 'same\n', 'ws/run.sh': 'run\n' });
  const workspace = openWorkspace({ root: join(root, 'ws') });
  const patch =
    '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n' +
    '--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' +
    'diff --git a/from.txt b/sub/to.txt\nsimilarity index 100%\nrename from from.txt\nrename to sub/to.txt\n' +
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n' +
    'diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+a.txt\n\\ No newline at end of file\n' +
    'diff --git a/empty b/empty\nnew file mode 100644\n';
  const plan = await (await prepare(workspace.root.real, { patch })).plan();
  if (plan.type !== 'change') throw new Error('no change');
  const journal = await openJournal({ home: join(root, 'home'), root: workspace.root });
  await commit(plan.changes, { workspace, journal, origin: { callId: 'call-1', session: 's', tool: 'edit_file' } });
  expect(contentOf(workspace.root.real)).toEqual({
    'a.txt': 'b\n',
    'sub/to.txt': 'same\n',
    'run.sh': 'run\n',
    link: '-> a.txt',
    empty: '',
  });
  expect(statSync(join(workspace.root.real, 'run.sh')).mode & 0o777).toBe(0o755);
});

test.runIf(process.platform !== 'win32')('a named pipe is refused without being opened (B048)', async () => {
  const root = tempFolder();
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const call = await prepare(root, { patch: '--- a/pipe\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' });
  await expect(call.plan()).rejects.toThrow(
    'path is not a regular file: pipe is a named pipe. No files were modified.',
  );
});

test('nothing is read while a call is prepared', async () => {
  const root = tempFolder({ 'a.txt': 'a\n' });
  const call = await prepare(root, { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-changed later\n+b\n' });
  writeFileSync(join(root, 'a.txt'), 'changed later\n');
  expect(await call.plan()).toMatchObject({ type: 'change', done: 'modified a.txt' });
});

test('a file whose reading is denied is not patched, and not quoted', async () => {
  const root = tempFolder({ '.env': 'KEY=zzz-secret\n' });
  const workspace = openWorkspace({ root, visible: ({ rel }) => rel !== '.env' });
  const call = await prepare(root, { patch: '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=x\n+KEY=y\n' }, workspace);
  const message = await call.plan().then(String, (error: Error) => error.message);
  expect(message).toContain('.env');
  expect(message).toContain('No files were modified.');
  expect(message).not.toContain('zzz-secret');
});
