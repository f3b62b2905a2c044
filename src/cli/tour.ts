import { join } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { runTurn } from '../agent/loop.ts';
import { memorySession } from '../agent/record.ts';
import { type App, createApp } from '../app.ts';
import { joinSignals } from '../base/join-signals.ts';
import { inThrowAwayFolder } from '../base/throw-away.ts';
import { headless } from '../ui/headless.ts';
import { exitCodes } from './exit.ts';
import { lastCommit } from './history.ts';
import type { Io } from './program.ts';
import { revert } from './revert.ts';
import { makeSample } from './tour/sample.ts';
import { tourModel, tourTask } from './tour/script.ts';
import { type Stage, tourStage } from './tour/stage.ts';

/**
 * `benchdog tour`: a scripted model, everything else real: a repository of its own among the temporary files, rules, an
 * approval with its diff, a denial, the look at the diff, the receipt, and undo. Nothing of it stays.
 */
export function runTour(io: Io): Promise<number> {
  return inThrowAwayFolder('benchdog-tour', async (folder) => {
    const root = join(folder, 'shop');
    await makeSample(root);
    io.stdout.write(introduction(root));
    const stage = tourStage(io);
    const app = await createApp({
      flags: { root, mcp: false, plugins: false, skills: false, memory: false },
      env: { ...io.env, BENCHDOG_HOME: join(folder, 'home') },
      approver: stage.approver,
      session: 'tour',
      repeatGuard: true,
    });
    const { signal, release } = joinSignals([io.signal, stage.stopped]);
    try {
      await showTurn(io, app, stage, signal);
      if (signal.aborted) return exitCodes.interrupted;
      await showUndo(io, app);
    } finally {
      release();
      await app.close();
    }
    io.stdout.write(ending);
    return exitCodes.done;
  });
}

async function showTurn(io: Io, app: App, stage: Stage, signal: AbortSignal): Promise<void> {
  io.stdout.write(heading(`The task: ${tourTask}`));
  const events = runTurn(agentOf(app, stage), memorySession('tour'), tourTask, { signal });
  await headless({ events: stage.follow(events), json: false, stdout: io.stdout, stderr: io.stdout });
}

async function showUndo(io: Io, app: App): Promise<void> {
  const last = lastCommit(app);
  if (last === undefined) return;
  io.stdout.write(heading('Every change is in the journal; benchdog undo puts it back'));
  await revert(app, 'undo', { id: last.id }, { session: 'tour', tool: 'undo' });
  const status = await app.gate.call({ id: 'tour-end', tool: 'git_status', args: '{}' });
  io.stdout.write(`undid ${last.id}; git status now says:\n${status.text}\n`);
}

function agentOf(app: App, stage: Stage): Agent {
  const { gate, workspace, state, journal } = app;
  const parts = {
    root: workspace.root.spelled,
    git: true,
    platform: process.platform,
    attended: true,
    planOnly: false,
  };
  return {
    model: tourModel(stage),
    gate,
    workspace,
    state,
    journal,
    instructions: () => ({ ...parts, instructions: [], notes: [], skills: [], extra: [] }),
    limits: { maxSteps: 20 },
    checks: { diffs: true, claims: true, maxNudges: 2 },
  };
}

function introduction(root: string): string {
  return `A tour of benchdog. The model is a script; the tools, rules, journal and git are real.
They work on a sample repository that is thrown away at the end: ${root}
`;
}

function heading(text: string): string {
  return `\n== ${text}\n`;
}

const ending = `
That was all of it: nothing was left behind. To work on something of your own:
  benchdog login          choose a provider and store a key
  benchdog -p "PROMPT"    or any of benchdog --help
`;
