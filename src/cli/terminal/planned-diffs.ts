import type { Change, ChangeSet } from '../../change/change.ts';
import { renderDiff } from '../../change/diff.ts';
import { selectHunks } from '../../change/hunk-choice.ts';
import type { Approver } from '../../gate/approver.ts';

/** The diffs of calls that are under way, to be shown when they are done: also of those that nobody was asked about. */
export interface PlannedDiffs {
  /** A call plans this. */
  note(callId: string, changes: ChangeSet): void;
  /** The same approver; what it approves counts as planned, and only the hunks it chose. */
  watch(approver: Approver): Approver;
  /** The diff of a call that is done; it is forgotten then. */
  take(callId: string): string | undefined;
}

/** Calls that were refused leave theirs behind: more than this many are not kept. */
const most = 40;

/** @param opaque changes whose content must not be shown */
export function createPlannedDiffs(opaque: (change: Change) => boolean): PlannedDiffs {
  const planned = new Map<string, ChangeSet>();
  const note: PlannedDiffs['note'] = (callId, changes) => {
    planned.delete(callId);
    planned.set(callId, changes);
    for (const oldest of planned.keys()) if (planned.size > most) planned.delete(oldest);
  };
  return {
    note,
    watch: (approver) => ({
      present: approver.present,
      async ask(request, signal) {
        const answer = await approver.ask(request, signal);
        const { callId, changes } = request;
        if (changes !== undefined) {
          note(callId, answer.type === 'hunks' ? selectHunks(changes, answer.ids, { opaque }).changes : changes);
        }
        return answer;
      },
    }),
    take(callId) {
      const changes = planned.get(callId);
      planned.delete(callId);
      return changes === undefined ? undefined : renderDiff(changes, { display: true, opaque });
    },
  };
}
