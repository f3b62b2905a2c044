import { dirname, join } from 'node:path';
import { ToolError } from '../base/error.ts';
import type { Root } from '../workspace/path.ts';
import type { Entry, Journal } from './journal.ts';
import type { SwapOperation } from './operation.ts';
import type { Swap, Swaps } from './swap.ts';
import { readTree } from './tree.ts';

/** Whether a command's effects were committed by it, or put back or done again: such entries move files. */
export function isOfCommand({ operations }: Entry): boolean {
  return operations.some(({ type }) => type === 'swap');
}

/**
 * The swaps that take an entry back, or do it again when it is undone: what was set aside last returns, and what stands there
 * now is set aside in turn. Throws `stale` when somebody changed any of it since, `missing` when it is no longer kept.
 */
export function swapsBack(journal: Journal, root: Root, entry: Entry): Swaps {
  const last = journal
    .entries()
    .findLast(({ id, origin }) => id === entry.id || (origin.reverts?.entries.includes(entry.id) ?? false))!;
  const operations = last.operations.filter((one): one is SwapOperation => one.type === 'swap');
  const list = operations.reverse().map((one) => swapBack(root, entry, one));
  return { list, store: dirname(dirname(operations[0]!.keep)) };
}

function swapBack(root: Root, entry: Entry, { path, keep, before, after }: SwapOperation): Swap {
  const here = readTree(join(root.real, path));
  if (here?.stamp !== after) throw changed(path, entry);
  const kept = before === undefined ? undefined : readTree(keep);
  if (kept?.stamp !== before) {
    throw new ToolError('missing', `What ${path} was is no longer kept. Nothing was changed.`);
  }
  return {
    path,
    ...(kept === undefined ? {} : { from: keep, after: kept }),
    ...(here === undefined ? {} : { before: here }),
  };
}

function changed(path: string, { id, origin }: Entry): ToolError {
  const text = `${path} is not as change ${id} (${origin.tool}) left it: somebody changed it since.`;
  return new ToolError('stale', `${text} Nothing was changed. Compare and put it back by hand.`);
}
