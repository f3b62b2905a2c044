import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { compileGlob } from '../base/glob.ts';
import { shownName } from '../base/shown-name.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { type FoundFiles, findFiles } from '../workspace/list-files.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { belowRoot } from './root-glob.ts';
import { resultText, troubleNotes } from './search-notes.ts';

const defaultLimit = 200;

/** `glob` of the `shiro` and `native` dialects: paths of files, relative to the root. */
export function globTool(settings: { readonly ignoreFiles: readonly string[] }): Tool {
  return defineTool({
    name: 'glob',
    description: 'List files matching a glob, as posix paths relative to the workspace root.',
    set: 'core',
    readOnly: true,
    input: z.strictObject({
      pattern: z.string().describe('e.g. "src/**/*.ts"'),
      limit: z.int().min(1).optional().describe(`max paths, default ${defaultLimit}`),
      includeIgnored: z.boolean().optional().describe('also return files git ignores'),
    }),
    prepare: ({ pattern, limit = defaultLimit, includeIgnored = false }, context) => {
      if (pattern.trim() === '') {
        throw new ToolError('invalid', 'pattern is required: send a glob such as "src/**/*.ts".');
      }
      const glob = compileGlob(belowRoot(context.workspace.root, pattern));
      const base = context.workspace.resolve('.');
      const find = (to: number, wanted = glob) =>
        findFiles(context.workspace, {
          glob: wanted,
          ignoreFiles: settings.ignoreFiles,
          includeIgnored,
          skip: (name) => name === '.git' || name === 'node_modules',
          limit: to,
          signal: context.signal,
          onProgress: (seen) => context.emit({ type: 'status', text: `${seen} entries looked at` }),
        });
      return {
        effects: [{ kind: 'read', path: base }],
        subject: pattern,
        plan: async () => {
          refuseGone(context.workspace, base);
          return { type: 'answer', text: listingText(await find(limit), pattern, limit) };
        },
      };
    },
  });
}

/** In a workspace that is no more, nothing can be said to match or not to match. */
function refuseGone(workspace: Workspace, base: FilePath): void {
  if (workspace.stat(base) !== undefined) return;
  throw new ToolError(
    'missing',
    `The workspace folder ${workspace.root.spelled} is gone. Nothing in it can be listed.`,
  );
}

function listingText({ paths, cut, hidden, closed, trouble }: FoundFiles, pattern: string, limit: number): string {
  const notes = cut ? [`... [${limit} paths shown, there are more. Narrow the pattern or raise limit.]`] : [];
  if (hidden > 0) notes.push(`[${hidden} left out: the rules deny reading ${hidden === 1 ? 'it' : 'them'}]`);
  if (closed === 'ignored') notes.push('[that folder is ignored; set includeIgnored to list it]');
  if (closed === 'skipped') notes.push('[.git and node_modules are never listed]');
  if (paths.length === 0 && isForNames(pattern)) {
    notes.push(`[without a slash it matches names in the root alone; **/${pattern} looks everywhere]`);
  }
  const rows = paths.map((path) => shownName(path.given));
  return resultText(rows, [...notes, ...troubleNotes(trouble)], `No files match ${pattern}`);
}

/** A wildcard that stays in one folder, where whoever wrote it may not know that. */
function isForNames(pattern: string): boolean {
  return /[*?[{]/.test(pattern) && !/\/|\*\*|^!/.test(pattern);
}
