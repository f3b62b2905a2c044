import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import type { ChangeSet } from '../change/change.ts';
import { type Selection, selectRedo, selectUndo, type Which } from '../change/history.ts';
import type { Entry, Origin } from '../change/journal.ts';
import { planSelection } from '../change/plan-undo.ts';
import { isOfCommand } from '../change/swap-undo.ts';

export type Verb = 'undo' | 'redo';

/** What went back, or was done again. */
export interface Reverted extends Selection {
  readonly changes: ChangeSet;
}

/** Puts back, or does again, what is chosen; throws as the choosing and the commits do. */
export async function revert(
  app: App,
  verb: Verb,
  which: Which,
  origin: Pick<Origin, 'session' | 'tool'> = { session: 'command line', tool: verb },
): Promise<Reverted> {
  const selection = verb === 'undo' ? selectUndo(app.journal, which) : selectRedo(app.journal, which);
  const done: ChangeSet[] = [];
  for (const some of committedTogether(selection)) {
    const { changes, reverts, swaps } = await planSelection(app.journal, app.workspace, some);
    await app.commit(changes, { callId: randomUUID(), ...origin, reverts }, swaps);
    done.push(changes);
  }
  return { ...selection, changes: done.flat() };
}

/** A short number counts changes; anything else is the beginning of an id. */
export function parseWhich(text: string | undefined): Which {
  if (text === undefined || text === '') return {};
  return /^[1-9]\d{0,3}$/.test(text) ? { steps: Number(text) } : { id: text };
}

/** `ID: path, path`, in one line. */
export function entryLine({ id, changes }: Entry): string {
  return `${id}: ${changes.map(({ path }) => path).join(', ')}`;
}

/** What commands did goes back one by one; everything else at once. */
function committedTogether({ as, entries }: Selection): readonly Selection[] {
  return entries.some(isOfCommand) ? entries.map((entry) => ({ as, entries: [entry] })) : [{ as, entries }];
}
