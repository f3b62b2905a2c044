import type { Agent } from '../../agent/agent.ts';
import { runTurn } from '../../agent/loop.ts';
import { setUpAgent } from '../../agent-setup.ts';
import { type App, approveMode, createApp } from '../../app.ts';
import { asToolError } from '../../base/error.ts';
import type { Mode } from '../../gate/modes.ts';
import { workspaceLog } from '../../open-gate.ts';
import { openSandbox } from '../../process/sandbox.ts';
import { jobsOf } from '../../tools/jobs.ts';
import { completions } from '../../ui/terminal/completions.ts';
import { recallBlocks } from '../../ui/terminal/recall.ts';
import type { Seat, TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import type { AgentFlags, Io } from '../program.ts';
import { type OpenRun, openRun } from '../session.ts';
import { allCommands } from './commands.ts';
import type { Desk, Next } from './desk.ts';
import { editProposal } from './edit-proposal.ts';
import { createErrands, type Errand, type Errands } from './errands.ts';
import { inMode } from './in-mode.ts';
import { workspacePaths } from './paths.ts';
import { createPlannedDiffs, type PlannedDiffs } from './planned-diffs.ts';
import { openPromptHistory } from './prompt-history.ts';
import { parseSlash, runSlash } from './slash.ts';
import { userCommand } from './user-command.ts';

export interface SittingOptions {
  readonly io: Io;
  readonly ui: TerminalUi;
  readonly flags: AgentFlags;
  /** What is said first. */
  readonly prompt?: string | undefined;
}

/** One session at the terminal, from its opening to whatever the person goes on to. */
export async function sit(options: SittingOptions): Promise<Next> {
  const { io, ui } = options;
  // The mode can be left again, so planning is no setting of the app's own.
  const flags = { ...options.flags, plan: false };
  const modes = createModes(options.flags.plan === true ? 'plan' : (approveMode(flags) ?? 'ask'));
  const run = openRun(io, flags);
  let app: App | undefined;
  const diffs = createPlannedDiffs((change) => app?.policy.visible(change.path) !== true);
  try {
    app = await createApp({
      flags,
      env: io.env,
      session: run.session.id,
      approver: diffs.watch(ui.approver),
      repeatGuard: true,
      mode: modes.get,
      onPlan: diffs.note,
      notice: (text) => ui.show({ type: 'note', style: 'warn', text }),
    });
    if (opensAll(flags, app)) modes.set('all');
    run.maskWith(app.mask);
    run.expire(app.config.keepSessionsDays);
    for (const text of [...run.warnings, ...app.notices]) ui.show({ type: 'note', style: 'warn', text });
    const settings = { settings: flags, env: io.env, session: run.session.id, ask: ui.ask };
    const agent = await setUpAgent(app, settings);
    return await converse(options, app, run, agent, modes, diffs);
  } finally {
    await app?.close();
    run.session.close();
  }
}

/** Without a flag the dialect's own approver has its say. */
function opensAll(flags: AgentFlags, { dialect, config }: App): boolean {
  return approveMode(flags) === undefined && dialect.name === 'rousseau' && config.approver?.mode === 'allow_all';
}

interface Modes {
  get(): Mode;
  set(mode: Mode): void;
  next(): void;
}

const cycle: readonly Mode[] = ['ask', 'edits', 'plan'];

function createModes(first: Mode): Modes {
  let mode = first;
  return {
    get: () => mode,
    set: (next) => {
      mode = next;
    },
    next: () => {
      mode = cycle[(cycle.indexOf(mode) + 1) % cycle.length]!;
    },
  };
}

async function converse(
  { io, ui, flags, prompt }: SittingOptions,
  app: App,
  run: OpenRun,
  opened: Agent,
  modes: Modes,
  diffs: PlannedDiffs,
): Promise<Next> {
  let agent = opened;
  let leave: (next: Next) => void = () => {};
  const left = new Promise<Next>((resolve) => {
    leave = resolve;
  });
  const errands = createErrands(() => ui.refresh());
  const untold: string[] = [];
  const turn = (text: string): Errand => ({
    text,
    async run(context) {
      ui.show({ type: 'prompt', text });
      const said = [...untold.splice(0), text].join('\n\n');
      const events = runTurn(inMode(agent, modes.get), run.session, said, context);
      await ui.follow(app.extensions.follow(events));
    },
  });
  const desk: Desk = {
    io,
    ui,
    app,
    run,
    flags,
    errands,
    agent: () => agent,
    useModel: (model) => {
      agent = { ...agent, model };
    },
    mode: modes.get,
    setMode: modes.set,
    send: (text) => errands.add(turn(text)),
    leave: (next) => leave(next),
    say: (text) => ui.show({ type: 'markdown', text }),
    note: (text, style = 'muted') => ui.show({ type: 'note', style, text }),
  };
  const commands = await allCommands(desk);
  const history = openPromptHistory(workspaceLog(app.home.state, 'prompts', app.workspace.root), app.mask);
  for (const text of history.all()) ui.remember(text);
  ui.completeWith(completions({ commands, paths: workspacePaths(app.workspace) }));
  const submit = (text: string) => {
    ui.remember(text);
    history.add(text);
    if (parseSlash(text) !== undefined) return void runSlash(desk, commands, text);
    if (text.startsWith('!')) return errands.add(userCommand(desk, text.slice(1).trim(), (news) => untold.push(news)));
    desk.send(text);
  };
  ui.show(...recallBlocks(run.session.records));
  ui.seat(seatAt(desk, modes, diffs, submit, await sandboxOf(app)));
  const stop = () => leave({ type: 'quit' });
  io.signal.addEventListener('abort', stop, { once: true });
  if (prompt !== undefined) submit(prompt);
  const next = await left;
  io.signal.removeEventListener('abort', stop);
  errands.abort();
  await errands.settled();
  return next;
}

function seatAt(desk: Desk, modes: Modes, diffs: PlannedDiffs, submit: (text: string) => void, sandbox: string): Seat {
  const { app, ui, errands, io } = desk;
  const runningJobs = () =>
    jobsOf(app.state)
      .list()
      .filter(({ result }) => result === undefined);
  return {
    submit,
    diffOf: diffs.take,
    abort: () => giveBack(ui, errands),
    interrupt: () => errands.interrupt(),
    quit: () => desk.leave({ type: 'quit' }),
    loss: () => (runningJobs().length === 0 ? undefined : 'background commands'),
    nextMode: modes.next,
    status: () => ({
      model: desk.agent().model.id,
      room: desk.agent().model.contextTokens,
      dialect: app.dialect.name,
      mode: modes.get(),
      sandbox,
    }),
    beside: () => ({
      jobs: runningJobs().map(({ id, command }) => ({ id, command })),
      queue: errands.waiting(),
    }),
    edit: async (request) => {
      try {
        return await ui.away(() => editProposal(request, io.env));
      } catch (error) {
        desk.note(`Not edited: ${asToolError(error).message}`, 'bad');
        return undefined;
      }
    },
  };
}

/** What waited is not sent after a turn that was stopped: the person gets it back to think again. */
function giveBack(ui: TerminalUi, errands: Errands): void {
  const waiting = errands.abort();
  if (waiting.length === 0) return;
  ui.setInput([...waiting, ui.input()].filter((text) => text !== '').join('\n'));
}

async function sandboxOf({ config, workspace }: App): Promise<string> {
  try {
    return (await openSandbox({ mode: config.sandbox?.mode ?? 'auto', root: workspace.root.real })).name;
  } catch {
    return 'missing';
  }
}
