import * as z from 'zod';
import { asToolError, ToolError } from '../base/error.ts';
import { capText } from '../base/text.ts';
import { defineTool, type Effect, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { LineWindow } from '../workspace/window.ts';
import { maxResult, renderWindow } from './read-view.ts';
import { type LineRange, seeWindow } from './read-window.ts';

const maxFiles = 20;

/** `read_many_files` of `shiro` and `native`: several windows in one call, by the same code path as `read_file`. */
export const shiroReadManyFiles: Tool = defineTool({
  name: 'read_many_files',
  description: `Read up to ${maxFiles} text files in one call, each like read_file with its own offset and limit. Blocks come back in the order given; a file that can't be read says why in its own block.`,
  set: 'edit-plus',
  readOnly: true,
  input: z.strictObject({
    files: z
      .array(
        z.strictObject({
          path: z.string().describe('file path relative to the workspace root'),
          offset: z.int().min(1).optional().describe('first line, 1-based'),
          limit: z.int().min(1).optional().describe('max lines, default 2000'),
        }),
      )
      .min(1)
      .max(maxFiles),
  }),
  prepare: ({ files }, context) => {
    const wanted = files.map(({ path, ...range }) => jail(context, path, range));
    return {
      effects: wanted.flatMap((one): Effect[] => (one.path === undefined ? [] : [{ kind: 'read', path: one.path }])),
      subject: wanted.map(({ text, path }) => path?.given ?? text).join(', '),
      plan: async () => ({ type: 'answer', text: blocks(await Promise.all(wanted.map((one) => see(context, one)))) }),
    };
  },
});

/** One file asked for; without a path when it is refused before anything is read. */
type Wanted =
  | { readonly text: string; readonly path: FilePath; readonly range: LineRange }
  | { readonly text: string; readonly path?: undefined; readonly error: ToolError };

type Seen =
  | { readonly text: string; readonly window: LineWindow }
  | { readonly text: string; readonly window?: undefined; readonly error: ToolError };

/** A path outside, or one whose reading is denied, has no effect: it is reported in its block and never opened. */
function jail({ workspace }: ToolContext, text: string, range: LineRange): Wanted {
  try {
    const path = workspace.resolve(text);
    const refusal = workspace.refusal(path);
    if (refusal !== undefined) throw new ToolError('denied', refusal);
    return { text, path, range };
  } catch (thrown) {
    return { text, error: asToolError(thrown) };
  }
}

async function see(context: ToolContext, wanted: Wanted): Promise<Seen> {
  if (wanted.path === undefined) return wanted;
  try {
    return { text: wanted.text, window: await seeWindow(context, wanted.path, wanted.range) };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (error.code === 'interrupted') throw error;
    return { text: wanted.text, error };
  }
}

function blocks(seen: readonly Seen[]): string {
  const texts = seen.map((one) =>
    one.window === undefined ? unreadable(one.error) : renderWindow(one.window, one.text),
  );
  const labels = seen.map(({ text }) => `===== ${text} =====\n`);
  const room = maxResult - labels.reduce((sum, label) => sum + label.length + 2, 0);
  const shares = fairShares(
    texts.map((text) => text.length),
    room,
  );
  const fitted = seen.map((one, at) =>
    one.window === undefined || texts[at]!.length <= shares[at]!
      ? texts[at]!
      : renderWindow(one.window, one.text, shares[at]),
  );
  const result = capText(fitted.map((text, at) => labels[at]! + text).join('\n\n'), maxResult - 100);
  if (seen.some(({ window }) => window !== undefined)) return result;
  throw allFailed(seen, result);
}

function unreadable(error: ToolError): string {
  return `[unreadable: ${error.message}]`;
}

function allFailed(seen: readonly Seen[], text: string): ToolError {
  const codes = new Set(seen.map((one) => (one.window === undefined ? one.error.code : 'failed')));
  return new ToolError(codes.size === 1 ? [...codes][0]! : 'failed', text);
}

/** Shares of `room`: whoever needs less than an equal share leaves the rest to the others. */
export function fairShares(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  const order = needs.map((_, at) => at).sort((one, other) => needs[one]! - needs[other]!);
  let left = Math.max(room, 0);
  order.forEach((at, served) => {
    shares[at] = Math.min(needs[at]!, Math.floor(left / (order.length - served)));
    left -= shares[at]!;
  });
  return shares;
}
