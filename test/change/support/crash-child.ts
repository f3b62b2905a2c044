/**
 * Carries out one thing in a process of its own and kills it at a given step.
 * Arguments: root, home, action (commit | undo | recover | big), number of the step to die at (0: never).
 * Prints the number of steps when it lives.
 */
import { commit } from '../../../src/change/commit.ts';
import { planUndo } from '../../../src/change/plan-undo.ts';
import { openJournal } from '../../../src/change/recover.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';
import { bigChange, everyKindOfChange, origin } from './scene.ts';

const [root, home, action, dieAt] = process.argv.slice(2) as [string, string, string, string];
let steps = 0;
const onStep = () => {
  steps += 1;
  if (steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
};

const workspace = openWorkspace({ root });
const recovering = action === 'recover';
const journal = await openJournal({ home, root: workspace.root, ...(recovering ? { onStep } : {}) });
if (action === 'commit') {
  await commit(await everyKindOfChange(workspace), { workspace, journal, origin, onStep });
}
if (action === 'big') await commit(await bigChange(workspace), { workspace, journal, origin, onStep });
if (action === 'undo') {
  const plan = await planUndo(journal, workspace);
  await commit(plan.changes, { workspace, journal, origin: { ...origin, reverts: plan.reverts }, onStep });
}
console.log(steps);
