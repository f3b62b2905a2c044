/**
 * Tries commits as a user who is not root and does not own everything. Arguments: root, home.
 * Prints one line of JSON: for each case what came of it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../src/change/change.ts';
import { commit } from '../../../src/change/commit.ts';
import { openJournal } from '../../../src/change/recover.ts';
import { fileState } from '../../../src/workspace/file-state.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';

const [root, home] = process.argv.slice(2) as [string, string];
process.setgid?.(65534);
process.setuid?.(65534);

const workspace = openWorkspace({ root });
const journal = await openJournal({ home, root: workspace.root });
const origin = { callId: 'c', session: 's', tool: 't' };

async function attempt(change: Change): Promise<string> {
  try {
    await commit([change], { workspace, journal, origin });
    const { uid, mode } = statSync(join(root, change.path.rel));
    return `done, owner ${uid}, mode ${(mode & 0o7777).toString(8)}`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function edit(name: string): Promise<string> {
  const path = workspace.resolve(name);
  const before = await workspace.read(path);
  return attempt({ type: 'modify', path, before, after: fileState(Buffer.from('new'), before.mode) });
}

console.log(
  JSON.stringify({
    'theirs-open': await edit('theirs-open'),
    'theirs-closed': await edit('theirs-closed'),
    'fixed/mine': await edit('fixed/mine'),
    'fixed/new': await attempt({
      type: 'create',
      path: workspace.resolve('fixed/new'),
      after: fileState(Buffer.from('x')),
    }),
  }),
);
