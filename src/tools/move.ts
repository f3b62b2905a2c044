import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { movedLink } from '../change/moved-link.ts';
import { stateNow } from '../change/state-now.ts';
import { type ChangePlan, defineTool, type ToolContext } from '../tool/tool.ts';
import { resolveLink } from '../workspace/link-path.ts';
import type { FilePath } from '../workspace/path.ts';

/** `move_file` of `native`: renames one file or link; never overwrites. */
export const nativeMoveFile = defineTool({
  name: 'move_file',
  set: 'edit-plus',
  description: 'Move or rename one file. Never overwrites; creates parent directories.',
  input: z.strictObject({ from: z.string(), to: z.string() }),
  prepare: (input, context) => {
    const from = resolveLink(context.workspace, input.from);
    const to = resolveLink(context.workspace, input.to);
    return {
      subject: `${from.given} -> ${to.given}`,
      // Reading counts too: under another name a denied file could be read.
      effects: [
        { kind: 'read', path: from },
        { kind: 'delete', path: from },
        { kind: 'write', path: to },
      ],
      plan: () => planMove(context, from, to),
    };
  },
});

async function planMove(context: ToolContext, from: FilePath, to: FilePath): Promise<ChangePlan> {
  const nothing = 'Nothing was moved.';
  if (from.abs === to.abs) {
    throw new ToolError('conflict', `${from.given} and ${to.given} are the same file. ${nothing}`);
  }
  const stats = context.workspace.stat(from);
  if (stats === undefined) throw new ToolError('missing', `No such file: ${from.given}. ${nothing}`);
  if (stats.isDirectory()) {
    throw new ToolError('conflict', `${from.given} is a directory; move_file moves one file. ${nothing}`);
  }
  const there = context.workspace.stat(to);
  // On a file system that folds case, another spelling of the same name is the same entry.
  const respelled = there !== undefined && there.ino === stats.ino && there.dev === stats.dev && stats.nlink === 1;
  if (there !== undefined && !respelled) {
    throw new ToolError('conflict', `${to.given} already exists. ${nothing} Delete it first or choose another name.`);
  }
  const before = stateNow(context.workspace, from)!;
  const after = before.kind === 'symlink' ? movedLink(before, from, to) : before;
  const note = after === before ? '' : ` (a link; its target is spelled ${after.bytes} now)`;
  return {
    type: 'change',
    changes: [{ type: 'rename', path: from, to, before, after }],
    done: `moved ${from.given} -> ${to.given}${note}`,
  };
}
