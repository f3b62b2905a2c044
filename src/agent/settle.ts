import type { CallPart } from '../model/model.ts';
import { finishCall, runBatch } from './batch.ts';
import type { JournaledCommit } from './changed-files.ts';
import { eventsOf } from './record.ts';
import { openCalls, unknownEnd } from './transcript.ts';
import type { Turn } from './turn.ts';

/**
 * Gives every call that a crash left without a result its result. What the journal shows was done is reported as done.
 * A call that had not started, and a file change that is not in the journal (so it provably did nothing), is run now, in
 * order. Of a command that was running nobody knows: it gets a result that says so and is never run again.
 */
export async function settleOpenCalls(turn: Turn): Promise<void> {
  const open = openCalls(turn.session.records);
  const fresh = open.filter((call) => !settle(turn, call));
  if (open.length > 0) {
    const text = `The session ended within a step: of its calls ${open.length - fresh.length} were settled, ${fresh.length} are run now.`;
    turn.emit({ type: 'notice', code: 'repaired', text });
  }
  await runBatch(fresh, turn);
}

/** True when the call got its result from what is on record. */
function settle(turn: Turn, call: CallPart): boolean {
  const { session, agent } = turn;
  const start = eventsOf(session.records, 'started').find(({ callId }) => callId === call.callId);
  // The journal comes first: it is on the disk before a file changes, the start of a change need not be.
  const commits = (agent.journal?.byCall(call.callId) ?? []).filter(({ origin }) => origin.session === session.id);
  if (commits.length > 0) {
    finishCall(call, { ok: true, ...whatWasDone(commits, start?.kind) }, turn);
    return true;
  }
  if (session.marksStarts && start === undefined) return false;
  if (start?.kind === 'change' && agent.journal !== undefined) return false;
  finishCall(call, { ok: false, code: 'interrupted', text: unknownEnd }, turn);
  return true;
}

function whatWasDone(commits: readonly JournaledCommit[], kind: 'change' | 'action' | undefined) {
  const changes = commits
    .flatMap((commit) => commit.changes)
    .map(({ type, path, to, added, removed }) => ({ type, path, ...(to === undefined ? {} : { to }), added, removed }));
  const list = changes.map(({ type, path, to }) => `${type} ${path}${to === undefined ? '' : ` -> ${to}`}`).join('\n');
  const rest = kind === 'action' ? '\nOther effects of it are unknown.' : '';
  return {
    changes,
    text: `The session ended before this was reported, but the journal shows it was done:\n${list}${rest}`,
  };
}
