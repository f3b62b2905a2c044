/**
 * Runs commands in views as a user who is not root. Arguments: root, home. Prints one line of JSON: for each sandbox mode who
 * the command was, what is in the workspace afterwards, and what after an undo.
 */
import { readdirSync } from 'node:fs';
import { readOverlay } from '../../../src/change/overlay.ts';
import { planUndo } from '../../../src/change/plan-undo.ts';
import { openJournal } from '../../../src/change/recover.ts';
import { commitSwaps } from '../../../src/change/swap-commit.ts';
import { showSwaps } from '../../../src/change/swap-show.ts';
import { childEnvironment } from '../../../src/process/environment.ts';
import { run } from '../../../src/process/run.ts';
import { openSandbox } from '../../../src/process/sandbox.ts';
import { findViews } from '../../../src/process/views.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';

const [root, home] = process.argv.slice(2) as [string, string];
process.setgroups?.([]);
process.setgid?.(65534);
process.setuid?.(65534);
process.env.HOME = home;

const workspace = openWorkspace({ root });
const journal = await openJournal({ home, root: workspace.root });
const origin = { callId: 'c', session: 's', tool: 'bash' };
const found = await findViews(root, home);

async function inView(mode: 'auto' | 'off') {
  if ('reason' in found) return found.reason;
  const sandbox = await openSandbox({ mode, root });
  const env = childEnvironment();
  const view = found.open({ sandboxed: sandbox.name === 'bubblewrap', env });
  const command = { file: '/bin/sh', args: ['-c', 'id -u; rm a; echo b > b; umount . 2>/dev/null || echo held'] };
  const { stdout } = await run({ ...view.enter(sandbox.wrap(command, root)), cwd: root, env, timeoutMs: 20_000 });
  const { swaps } = await readOverlay({ ...view, root, begunAt: view.begunAt()! });
  const { changes } = await showSwaps(workspace.root, swaps);
  await commitSwaps(changes, { list: swaps, store: `${found.folder}/kept` }, { workspace, journal, origin });
  await view.remove();
  const after = readdirSync(root);
  const plan = await planUndo(journal, workspace);
  const back = { ...origin, reverts: plan.reverts };
  await commitSwaps(plan.changes, plan.swaps!, { workspace, journal, origin: back });
  return { was: stdout.head, after, undone: readdirSync(root) };
}

console.log(JSON.stringify({ auto: await inView('auto'), off: await inView('off') }));
if ('close' in found) await found.close();
