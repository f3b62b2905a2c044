import { ToolError } from '../base/error.ts';
import type { ChangeSet } from '../change/change.ts';
import type { ActionOutcome, ChangePlan, Effect, Pending, PendingView, Tool } from '../tool/tool.ts';
import type { JudgedCall } from './verdict.ts';

/** What an action did or proposes, as rules see it. What a command did in a view is done by a tool that may change files. */
export function callOfPending({ name }: Tool, { changes, view }: Pending, args: unknown): JudgedCall {
  return {
    tool: name,
    readOnly: false,
    subject: `the changes of ${name}`,
    effects: view?.touched ?? effectsOf(changes),
    arguments: args,
    ...(view === undefined ? {} : { done: true }),
  };
}

/** The same as a change plan. */
export function planOfPending({ changes, view }: Pending, { text }: ActionOutcome): ChangePlan {
  return { type: 'change', changes, done: text, ...(view === undefined ? {} : { swaps: view.swaps }) };
}

/** Lets go of the view when `work` has ended; where it can't be committed as things stand, it is kept to be looked at. */
export async function closing<T>(view: PendingView | undefined, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    view?.close();
    return result;
  } catch (error) {
    const keeps = error instanceof ToolError && (error.code === 'stale' || error.code === 'conflict');
    const place = view?.close(keeps ? 'keep' : undefined);
    if (place === undefined || !keeps) throw error;
    const text = `${error.message} What the command wrote is in ${place} until the next start.`;
    throw new ToolError(error.code, text, { cause: error });
  }
}

function effectsOf(changes: ChangeSet): Effect[] {
  return changes.flatMap((change): Effect[] => {
    if (change.type === 'delete') return [{ kind: 'delete', path: change.path }];
    if (change.type !== 'rename') return [{ kind: 'write', path: change.path }];
    return [
      { kind: 'delete', path: change.path },
      { kind: 'write', path: change.to },
    ];
  });
}
