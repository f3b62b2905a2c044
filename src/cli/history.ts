import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import { visibleName } from '../base/visible.ts';
import { type HistoryItem, history, type Selection } from '../change/history.ts';
import type { Entry } from '../change/journal.ts';
import { nobody } from '../gate/approver.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { parseWhich, revert, type Verb } from './revert.ts';
import { withApp } from './with-app.ts';

/** `benchdog history`: what any tool changed in this workspace, in any session, newest first. */
export async function runHistory(io: Io, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'history', approver: nobody }, async (app) => {
    const items = history(app.journal);
    if (flags.json) for (const item of items) io.stdout.write(`${JSON.stringify(asJson(item))}\n`);
    else
      io.stdout.write(
        items.length === 0 ? 'No changes in the journal of this workspace.\n' : items.map(lineOf).join(''),
      );
    return exitCodes.done;
  });
}

/** `benchdog undo [N | ID]` and `benchdog redo`: the person's own command, so nobody else is asked. */
export async function runRevert(io: Io, verb: Verb, which: string | undefined, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: `${verb}-${randomUUID()}`, approver: nobody }, async (app) => {
    const selection = await revert(app, verb, parseWhich(which));
    report(io, selection, flags.json ?? false);
    return exitCodes.done;
  });
}

/** The newest entry of the journal. */
export function lastCommit(app: App): Entry | undefined {
  return app.journal.entries().at(-1);
}

function report(io: Io, { as, entries }: Selection, json: boolean): void {
  if (json) io.stdout.write(`${JSON.stringify({ ok: true, as, entries: entries.map(({ id }) => id) })}\n`);
  else for (const entry of entries) io.stdout.write(`${as === 'undo' ? 'undid' : 'redid'} ${summary(entry)}\n`);
}

function lineOf({ entry, state }: HistoryItem): string {
  const note = state === 'done' ? '' : ` (${state === 'undone' ? 'undone' : entry.origin.reverts?.as})`;
  return `${entry.id}  ${entry.time.slice(0, 19).replace('T', ' ')}  ${entry.origin.tool}${note}  ${files(entry)}\n`;
}

function summary(entry: Entry): string {
  return `${entry.id} (${entry.origin.tool}): ${files(entry)}`;
}

function files({ changes }: Entry): string {
  return changes
    .map(
      ({ type, path, to, added, removed }) =>
        `${type} ${[path, to]
          .filter((name) => name !== undefined)
          .map(visibleName)
          .join(' -> ')} +${added} -${removed}`,
    )
    .join(', ');
}

function asJson({ entry, state }: HistoryItem) {
  const { id, time, origin, changes } = entry;
  return { id, time, state, tool: origin.tool, session: origin.session, callId: origin.callId, changes };
}
