import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { shownName } from '../base/shown-name.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { type FilePath, resolvePath } from '../workspace/path.ts';
import { listTree, type Tree, type TreeNode } from '../workspace/tree.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { troubleNotes } from './search-notes.ts';

const mostEntries = 300;

/** `list_dir` of the `shiro` and `native` dialects: a tree. */
export function listDir(settings: { readonly ignoreFiles: readonly string[] }): Tool {
  return defineTool({
    name: 'list_dir',
    description:
      'Tree view of a directory, honouring .gitignore. Directories end with /, files show their size. At most 300 entries.',
    set: 'edit-plus',
    readOnly: true,
    input: z.strictObject({
      path: z.string().optional().describe('directory, relative to the workspace root, default the root'),
      depth: z.int().min(1).max(6).optional().describe('levels to descend, 1-6, default 2'),
      includeIgnored: z.boolean().optional().describe('also show files git ignores'),
    }),
    prepare: ({ path = '.', depth = 2, includeIgnored = false }, context) => {
      const base = context.workspace.resolve(path === '' ? '.' : path);
      return {
        effects: [{ kind: 'read', path: base }],
        subject: base.given,
        plan: async () => {
          refuseNoFolder(context, base);
          const tree = await listTree(context.workspace, {
            base,
            depth,
            includeIgnored,
            ignoreFiles: settings.ignoreFiles,
            limit: mostEntries,
            skip: (name) => name === '.git' || (name === 'node_modules' && !includeIgnored),
            wanted: (entry) => entry.kind === 'directory' || isVisible(context.workspace, entry.rel),
            signal: context.signal,
          });
          return { type: 'answer', text: treeText(context.workspace, base, tree) };
        },
      };
    },
  });
}

function refuseNoFolder({ workspace }: ToolContext, base: FilePath): void {
  const stats = workspace.stat(base);
  if (stats === undefined) throw new ToolError('missing', `No such directory: ${base.given}`);
  if (!stats.isDirectory()) throw new ToolError('conflict', `path is not a directory: ${base.given}`);
}

/** A link that leads out of the workspace is shown: its name is in here, what it leads to isn't looked at. */
function isVisible(workspace: Workspace, rel: string): boolean {
  try {
    return workspace.visible(resolvePath(workspace.root, rel, 'relative'));
  } catch {
    return true;
  }
}

function treeText(workspace: Workspace, base: FilePath, { nodes, cut, trouble }: Tree): string {
  const head = base.rel === '.' ? '.' : `${shownName(base.given)}/`;
  if (nodes === undefined) return `${head}\n[ignored; set includeIgnored to list it]`;
  const rows = nodes.flatMap((node) => nodeRows(workspace, node, ''));
  const notes = cut
    ? [`... [${mostEntries} entries shown, there are more. List a subdirectory or a smaller depth.]`]
    : [];
  return [head, ...rows, ...notes, ...troubleNotes(trouble)].join('\n');
}

function nodeRows(workspace: Workspace, { entry, inner = [] }: TreeNode, indent: string): string[] {
  const name = indent + shownName(entry.name);
  switch (entry.kind) {
    case 'directory':
      return [`${name}/`, ...inner.flatMap((node) => nodeRows(workspace, node, `${indent}  `))];
    case 'file':
      return [
        `${name}  ${shownSize(lstatSync(join(workspace.root.real, entry.rel), { throwIfNoEntry: false })?.size ?? 0)}`,
      ];
    case 'symlink':
      return [`${name}  link`];
    case 'other':
      return [`${name}  special`];
  }
}

/** `2B`, `2K`, `13M`: whole units, never a zero for something that is there. */
export function shownSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const units = ['K', 'M', 'G', 'T'];
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1023.5 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${Math.round(size)}${units[unit]}`;
}
