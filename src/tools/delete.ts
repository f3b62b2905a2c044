import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { stateNow } from '../change/state-now.ts';
import { type ChangePlan, defineTool, type Tool, type ToolContext, type ToolSet } from '../tool/tool.ts';
import { resolveLink } from '../workspace/link-path.ts';
import type { FilePath } from '../workspace/path.ts';

/** `delete_file` of `udiff`. */
export const udiffDeleteFile = deleteFile('Delete one file. Directories are refused.');

/** `delete_file` of `native`. */
export const nativeDeleteFile = deleteFile('Delete one file or link, never a directory.', 'edit-plus');

function deleteFile(description: string, set?: ToolSet): Tool {
  return defineTool({
    name: 'delete_file',
    description,
    ...(set === undefined ? {} : { set }),
    input: z.strictObject({ path: z.string() }),
    prepare: ({ path: text }, context) => {
      const path = resolveLink(context.workspace, text);
      return { subject: path.given, effects: [{ kind: 'delete', path }], plan: () => planDelete(context, path) };
    },
  });
}

async function planDelete(context: ToolContext, path: FilePath): Promise<ChangePlan> {
  const stats = context.workspace.stat(path);
  if (stats === undefined) throw new ToolError('missing', `inspect file: ${path.given}: no such file or directory`);
  if (stats.isDirectory()) {
    throw new ToolError('conflict', `path is a directory, not a file: ${path.given}. Directories are never deleted.`);
  }
  const before = stateNow(context.workspace, path)!;
  return { type: 'change', whole: true, changes: [{ type: 'delete', path, before }], done: `deleted ${path.given}` };
}
