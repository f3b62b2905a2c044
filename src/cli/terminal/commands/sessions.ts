import { forkSession } from '../../../agent/fork.ts';
import { findSession, listSessions } from '../../../agent/session-list.ts';
import type { AgentFlags } from '../../program.ts';
import type { Desk } from '../desk.ts';
import type { SlashCommand } from '../slash.ts';

export const sessionCommands: readonly SlashCommand[] = [
  {
    name: 'sessions',
    description: "this folder's sessions; go on with one",
    idle: true,
    run: pickSession,
  },
  {
    name: 'resume',
    argument: '[ID]',
    description: 'go on with another session',
    idle: true,
    run(desk, id) {
      if (id === '') return pickSession(desk);
      resume(desk, findSession(desk.app.home.state, id));
    },
  },
  {
    name: 'fork',
    description: 'go on in a copy of this session; this one stays as it is',
    idle: true,
    run(desk) {
      resume(desk, forkSession(desk.app.home.state, desk.run.session.id));
    },
  },
  {
    name: 'clear',
    description: 'begin a new session',
    idle: true,
    run: (desk) => desk.leave({ type: 'sit', flags: fresh(desk.flags) }),
  },
];

async function pickSession(desk: Desk): Promise<void> {
  const { app, run, ui, note } = desk;
  const others = listSessions(app.home.state, app.workspace.root.real).filter(
    ({ id, title }) => id !== run.session.id && title !== '',
  );
  if (others.length === 0) return note('This folder has no other sessions.');
  const choices = others.map(({ title, id, updated }) => ({
    label: title,
    detail: `${new Date(updated).toISOString().slice(0, 16).replace('T', ' ')}  ${id}`,
  }));
  const chosen = await ui.pick('Go on with which session?', choices);
  if (chosen !== undefined) resume(desk, others[chosen]!.id);
}

function resume({ leave, flags }: Desk, id: string): void {
  leave({ type: 'sit', flags: { ...fresh(flags), resume: id } });
}

/** The same settings without naming a session. */
function fresh(flags: AgentFlags): AgentFlags {
  const { continue: _continue, resume: _resume, ...others } = flags;
  return others;
}
