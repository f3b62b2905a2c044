import { isUser } from '../../agent/record.ts';
import { setUpAgent } from '../../agent-setup.ts';
import { type App, approveMode, createApp } from '../../app.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import type { AgentFlags, Io } from '../program.ts';
import { openRun } from '../session.ts';
import { converse } from './conversation.ts';
import type { Next } from './desk.ts';
import { createModeSwitch } from './mode-switch.ts';
import { createPlannedDiffs } from './planned-diffs.ts';

export interface SittingOptions {
  readonly io: Io;
  readonly ui: TerminalUi;
  readonly flags: AgentFlags;
  /** What is said first. */
  readonly prompt?: string | undefined;
}

/** One session at the terminal, from its opening to whatever the person goes on to. */
export async function sit({ io, ui, flags, prompt }: SittingOptions): Promise<Next> {
  // What was started with --plan is read-only to its end: nothing foreign is started, and no key changes that.
  const modes = flags.plan === true ? createModeSwitch('plan', true) : createModeSwitch(approveMode(flags) ?? 'ask');
  const warn = (text: string) => ui.show({ type: 'note', style: 'warn', text });
  const run = openRun(io, flags);
  const diffs = createPlannedDiffs((change) => app?.policy.visible(change.path) !== true);
  let app: App | undefined;
  try {
    app = await createApp({
      flags,
      env: io.env,
      session: run.session.id,
      approver: diffs.watch(ui.approver),
      repeatGuard: true,
      mode: modes.get,
      onPlan: diffs.note,
      notice: warn,
    });
    if (opensAll(flags, app)) modes.set('all');
    run.maskWith(app.mask);
    run.expire(app.config.keepSessionsDays);
    const { id, records } = run.session;
    ui.show({
      type: 'note',
      style: 'muted',
      text: records.length > 1 ? `session goes on: ${id}` : `a new session: ${id}`,
    });
    for (const text of [...run.warnings, ...app.notices]) warn(text);
    const agent = await setUpAgent(app, { settings: flags, env: io.env, session: run.session.id, ask: ui.ask });
    const next = await converse({ io, ui, app, run, flags, modes, agent, diffOf: diffs.take, prompt });
    return next.type === 'quit' && run.session.records.some(isUser) ? { ...next, session: id } : next;
  } finally {
    await app?.close();
    run.session.close();
  }
}

/** Without a flag the dialect's own approver has its say. */
function opensAll(flags: AgentFlags, { dialect, config }: App): boolean {
  return approveMode(flags) === undefined && dialect.name === 'rousseau' && config.approver?.mode === 'allow_all';
}
