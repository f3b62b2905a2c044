import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../../src/change/change.ts';
import { renderDiff } from '../../../src/change/diff.ts';
import { fileState } from '../../../src/workspace/file-state.ts';
import { openWorkspace, type Workspace } from '../../../src/workspace/workspace.ts';
import { tempFolder } from '../../support/folders.ts';
import { runs } from '../../support/runs.ts';
import { type FileText, type RandomFile, randomTree, writeTree } from '../random-trees.ts';
import { planPatch } from './patched.ts';

test('the diff that is shown for changes is a patch that makes the same changes', async () => {
  await fc.assert(
    fc.asyncProperty(randomTree({ mixedEnds: true, emptyFiles: true }), async (files) => {
      const root = join(tempFolder(), 'tree');
      mkdirSync(root);
      writeTree(root, files, 'before');
      const workspace = openWorkspace({ root });
      const changes = files.flatMap((file) => changeOf(file, workspace) ?? []);
      if (changes.length === 0) return;
      expect(await planPatch(root, renderDiff(changes))).toEqual(changes);
    }),
    runs(80),
  );
});

function changeOf({ name, before, after }: RandomFile, workspace: Workspace): Change | undefined {
  const path = workspace.resolve(name);
  const state = ({ text, executable }: FileText) => fileState(Buffer.from(text), executable ? 0o755 : 0o644);
  if (before === undefined) return after && { type: 'create', path, after: state(after) };
  if (after === undefined) return { type: 'delete', path, before: state(before) };
  const same = before.text === after.text && before.executable === after.executable;
  return same ? undefined : { type: 'modify', path, before: state(before), after: state(after) };
}
