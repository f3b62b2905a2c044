import { ledgerSlot, markOf } from '../tool/ledger.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { type LineWindow, readWindow } from '../workspace/window.ts';

/** Lines a read shows when nothing is said. */
export const defaultLimit = 2000;

export interface LineRange {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Reads lines of a file for the model, and notes in the ledger that it was seen. */
export function seeWindow(context: ToolContext, path: FilePath, range: LineRange): Promise<LineWindow> {
  const { workspace, signal, state } = context;
  const options = { offset: range.offset ?? 1, limit: range.limit ?? defaultLimit, signal };
  return workspace.open(path, async (fd, stats) => {
    const window = await readWindow(fd, path.given, options);
    const { digest } = window;
    state.get(ledgerSlot).saw(path, { mark: markOf(stats), ...(digest === undefined ? {} : { digest }) });
    return window;
  });
}
