import { ToolError } from '../base/error.ts';
import type { ChangeSet } from '../change/change.ts';
import { type Ledger, markOf } from '../tool/ledger.ts';
import type { ChangePlan } from '../tool/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * A whole-file write or a delete of a file that changed since this session read it is `stale`. Exact edits carry
 * their own check, and a file the session never read is not refused.
 */
export function refuseStaleReads(plan: ChangePlan, ledger: Ledger, workspace: Workspace): void {
  if (plan.whole !== true) return;
  for (const change of plan.changes) {
    if (change.type === 'create') continue;
    const seen = ledger.of(change.path);
    if (seen === undefined || seen.digest === change.before.digest) continue;
    const stats = workspace.stat(change.path);
    if (seen.digest === undefined && stats !== undefined && seen.mark === markOf(stats)) continue;
    throw new ToolError(
      'stale',
      `${change.path.given} changed since you read it. Nothing was written. Read it again, then decide what to write.`,
    );
  }
}

/** What this session wrote, it knows. */
export function rememberWritten(changes: ChangeSet, ledger: Ledger): void {
  for (const change of changes) {
    if (change.type === 'delete' || change.type === 'rename') ledger.forget(change.path);
    if (change.type !== 'delete') {
      ledger.saw(change.type === 'rename' ? change.to : change.path, { digest: change.after.digest });
    }
  }
}
