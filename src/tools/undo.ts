import { z } from 'zod';
import { ToolError } from '../base/error.ts';
import { selectUndo, type Which } from '../change/history.ts';
import type { Entry, Journal, JournaledChange } from '../change/journal.ts';
import { planSelection } from '../change/plan-undo.ts';
import { isOfCommand } from '../change/swap-undo.ts';
import { defineTool, type Effect, type Tool } from '../tool/tool.ts';
import { entryPath } from '../workspace/entry-path.ts';
import { isGitPath } from '../workspace/git-dir.ts';
import type { FilePath, Root } from '../workspace/path.ts';

/** `native`'s `undo`: puts back this session's changes, shown and committed like any change. */
export function undoTool(journal: Journal, session: string): Tool {
  return defineTool({
    name: 'undo',
    description:
      "Put back this session's file changes: the last one, the last `steps`, or one by `id`. All or nothing; refused when a file changed since.",
    set: 'edit-plus',
    input: z.strictObject({ steps: z.int().min(1).max(1000).optional(), id: z.string().min(1).optional() }),
    prepare: ({ steps, id }, { workspace }) => {
      if (steps !== undefined && id !== undefined) throw new ToolError('invalid', 'Send steps or id, not both.');
      const which: Which = { session, ...(id === undefined ? {} : { id }), ...(steps === undefined ? {} : { steps }) };
      const selection = selectUndo(journal, which);
      const effects = selection.entries.flatMap((entry) => entryEffects(workspace.root, entry, selection.as));
      return {
        effects,
        subject: selection.entries.map((entry) => entry.id).join(' '),
        plan: async () => {
          const { changes, reverts, swaps } = await planSelection(journal, workspace, selection);
          const verb = selection.as === 'undo' ? 'undid' : 'redid';
          return {
            type: 'change',
            changes,
            reverts,
            ...(swaps === undefined ? {} : { swaps }),
            done: selection.entries.map((one) => `${verb} ${line(one)}`).join('\n'),
          };
        },
      };
    },
  });
}

/**
 * What git did when a command called it goes back as it came, whole, or is refused since it has changed: nothing is written
 * into git's data that was not there. So it is no file written there, but something done, and asked about like that.
 */
function entryEffects(root: Root, entry: Entry, as: 'undo' | 'redo'): Effect[] {
  const effects = entry.changes.flatMap((change) => effectsOf(change, as, (rel) => entryPath(root, rel)));
  if (!isOfCommand(entry)) return effects;
  const files = effects.filter((effect) => !('path' in effect && isGitPath(root, effect.path)));
  if (files.length === effects.length) return effects;
  return [...files, { kind: 'execute', tool: 'undo', arguments: { id: entry.id } }];
}

/** Going back turns a creation into a delete and the other way round; a rename does both. */
function effectsOf(
  { type, path, to }: JournaledChange,
  as: 'undo' | 'redo',
  pathOf: (rel: string) => FilePath,
): Effect[] {
  if (type === 'modify') return [{ kind: 'write', path: pathOf(path) }];
  if (type === 'rename') {
    const [from, into] = as === 'undo' ? [to!, path] : [path, to!];
    return [
      { kind: 'delete', path: pathOf(from) },
      { kind: 'write', path: pathOf(into) },
    ];
  }
  const removes = (type === 'create') === (as === 'undo');
  return [{ kind: removes ? 'delete' : 'write', path: pathOf(path) }];
}

function line(entry: Entry): string {
  const files = entry.changes.map(({ path, to }) => (to === undefined ? path : `${path} -> ${to}`));
  return `${entry.id} (${entry.origin.tool}): ${files.join(', ')}`;
}
