import { forkSession } from '../agent/fork.ts';
import { loadSession } from '../agent/record-read.ts';
import { sessionFile } from '../agent/session.ts';
import { findSession, listSessions, removeSession, type SessionSummary } from '../agent/session-list.ts';
import { unknownName } from '../base/suggest.ts';
import { findHome } from '../config/home.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { UsageError } from './usage.ts';

const actions = ['list', 'show', 'fork', 'rm'];

/** `benchdog sessions [list | show ID | fork ID | rm ID]` */
export async function runSessions(io: Io, action: string, id: string | undefined, flags: Flags): Promise<number> {
  const home = findHome(io.env).state;
  if (!actions.includes(action)) throw new UsageError(unknownName('sessions action', action, actions));
  if (action === 'list') return list(io, listSessions(home), flags.json ?? false);
  if (id === undefined) throw new UsageError(`sessions ${action} needs the id of a session, or its beginning.`);
  if (action === 'show') return show(io, home, findSession(home, id));
  const done = action === 'fork' ? forkSession(home, id) : removeSession(home, id);
  io.stdout.write(flags.json ? `${JSON.stringify({ ok: true, id: done })}\n` : `${done}\n`);
  return exitCodes.done;
}

function list(io: Io, sessions: readonly SessionSummary[], json: boolean): number {
  for (const session of sessions) {
    const time = new Date(session.updated).toISOString().slice(0, 16).replace('T', ' ');
    io.stdout.write(
      json ? `${JSON.stringify(session)}\n` : `${session.id}  ${time}  ${session.root}  ${session.title}\n`,
    );
  }
  if (sessions.length === 0 && !json) io.stdout.write('No sessions yet.\n');
  return exitCodes.done;
}

function show(io: Io, home: string, id: string): number {
  const { records, warnings } = loadSession(sessionFile(home, id));
  for (const warning of warnings) io.stderr.write(`benchdog: ${warning}\n`);
  for (const record of records) io.stdout.write(`${JSON.stringify(record)}\n`);
  return exitCodes.done;
}
