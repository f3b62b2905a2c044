import { ToolError } from './base/error.ts';
import { unknownName } from './base/suggest.ts';
import type { Journal } from './change/journal.ts';
import type { Tool } from './tool/tool.ts';
import { rousseauBash, shiroBash } from './tools/bash.ts';
import { nativeDeleteFile, udiffDeleteFile } from './tools/delete.ts';
import { rousseauEdit, shiroEditFile, shiroMultiEdit } from './tools/edit.ts';
import { gitDiff } from './tools/git-diff.ts';
import { udiffGitDiff } from './tools/git-diff-udiff.ts';
import { gitStatus } from './tools/git-status.ts';
import { nativeMoveFile } from './tools/move.ts';
import { patchTool } from './tools/patch.ts';
import { undoTool } from './tools/undo.ts';
import { rousseauWrite, shiroWriteFile, udiffWriteFile } from './tools/write.ts';
import type { PathStyle } from './workspace/path.ts';

/** What tools with a memory outside the workspace are made from. */
export interface Services {
  readonly journal: Journal;
  readonly session: string;
}

/** A list of tools with a path style, what errors begin with, and which finish checks apply. */
export interface Dialect {
  readonly name: string;
  readonly pathStyle: PathStyle;
  readonly errorPrefix: string;
  /** True: a turn that changed files ends only after a diff was looked at. */
  readonly checksDiffs: boolean;
  tools(services: Services): readonly Tool[];
}

const shiroTools = (): readonly Tool[] => [
  shiroWriteFile,
  shiroEditFile,
  shiroBash(),
  shiroMultiEdit,
  gitStatus(),
  gitDiff(),
];

export const dialects: readonly Dialect[] = [
  {
    name: 'native',
    pathStyle: 'relative',
    errorPrefix: '',
    checksDiffs: true,
    tools: ({ journal, session }) => [
      ...shiroTools(),
      undoTool(journal, session),
      patchTool({ name: 'apply_patch', set: 'edit-plus' }),
      nativeDeleteFile,
      nativeMoveFile,
    ],
  },
  {
    name: 'udiff',
    pathStyle: 'rooted',
    errorPrefix: 'Tool call failed: ',
    checksDiffs: true,
    tools: () => [udiffGitDiff(), udiffWriteFile, patchTool({ name: 'edit_file' }), udiffDeleteFile],
  },
  { name: 'shiro', pathStyle: 'relative', errorPrefix: '', checksDiffs: false, tools: shiroTools },
  {
    name: 'rousseau',
    pathStyle: 'absolute',
    errorPrefix: '',
    checksDiffs: false,
    tools: () => [rousseauWrite, rousseauEdit, rousseauBash()],
  },
];

export function chooseDialect(name = 'native'): Dialect {
  const dialect = dialects.find((one) => one.name === name);
  if (dialect !== undefined) return dialect;
  throw new ToolError(
    'invalid',
    unknownName(
      'dialect',
      name,
      dialects.map((one) => one.name),
    ),
  );
}

/** The tools of a dialect, less the sets that are switched off. Core and tools without a set are always on. */
export function chooseTools(
  dialect: Dialect,
  sets: readonly string[] | undefined,
  services: Services,
): readonly Tool[] {
  const tools = dialect.tools(services);
  if (sets === undefined) return tools;
  const known = ['core', 'edit-plus', 'git'];
  for (const set of sets) if (!known.includes(set)) throw new ToolError('invalid', unknownName('tool set', set, known));
  return tools.filter(({ set }) => set === undefined || set === 'core' || sets.includes(set));
}
