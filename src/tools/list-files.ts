import * as z from 'zod';
import { systemCode, ToolError } from '../base/error.ts';
import { shownName } from '../base/shown-name.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { type FilePath, resolvePath } from '../workspace/path.ts';
import type { Entry } from '../workspace/workspace.ts';

/** `list_files` of the `udiff` dialect: the entries of one directory. */
export const listFiles: Tool = defineTool({
  name: 'list_files',
  description: 'List the entries of a directory, one per line, sorted; directories end with /.',
  readOnly: true,
  input: z.strictObject({ path: z.string().optional().describe('Directory, default the workspace root') }),
  prepare: ({ path = '.' }, context) => {
    const base = context.workspace.resolve(path === '' ? '.' : path);
    return {
      effects: [{ kind: 'read', path: base }],
      subject: base.given,
      plan: async () => {
        const entries = await entriesOf(context, base);
        return {
          type: 'answer',
          text: entries
            .filter((one) => isShown(context, base, one))
            .map(shown)
            .join('\n'),
        };
      },
    };
  },
});

async function entriesOf({ workspace }: ToolContext, base: FilePath): Promise<readonly Entry[]> {
  const stats = workspace.stat(base);
  if (stats === undefined)
    throw new ToolError('missing', `inspect directory: no such file or directory: ${base.given}`);
  if (!stats.isDirectory()) throw new ToolError('conflict', `path is not a directory: ${base.given}`);
  try {
    return await workspace.list(base);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new ToolError('failed', `inspect directory: ${(error as Error).message}`);
  }
}

function isShown({ workspace }: ToolContext, base: FilePath, { name, kind }: Entry): boolean {
  if (kind === 'directory') return true;
  try {
    return workspace.visible(resolvePath(workspace.root, base.rel === '.' ? name : `${base.rel}/${name}`, 'relative'));
  } catch {
    return true;
  }
}

function shown({ name, kind }: Entry): string {
  return kind === 'directory' ? `${shownName(name)}/` : shownName(name);
}
