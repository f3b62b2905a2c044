import { ToolError } from './base/error.ts';
import { unknownName } from './base/suggest.ts';
import type { Journal } from './change/journal.ts';
import type { Tool } from './tool/tool.ts';
import { rousseauBash, shiroBash } from './tools/bash.ts';
import { nativeBash } from './tools/bash-native.ts';
import type { ShellSettings } from './tools/command.ts';
import { nativeDeleteFile, udiffDeleteFile } from './tools/delete.ts';
import { rousseauEdit, shiroEditFile, shiroMultiEdit } from './tools/edit.ts';
import { gitBlame } from './tools/git-blame.ts';
import { gitDiff } from './tools/git-diff.ts';
import { udiffGitDiff } from './tools/git-diff-udiff.ts';
import { gitLog } from './tools/git-log.ts';
import { gitShow } from './tools/git-show.ts';
import { gitStatus } from './tools/git-status.ts';
import { globTool } from './tools/glob.ts';
import { shiroGrep } from './tools/grep.ts';
import { nativeGrep } from './tools/grep-native.ts';
import { rousseauGrep } from './tools/grep-rousseau.ts';
import { bashKill, bashOutput } from './tools/jobs.ts';
import { listDir } from './tools/list.ts';
import { listFiles } from './tools/list-files.ts';
import { nativeMoveFile } from './tools/move.ts';
import { patchTool } from './tools/patch.ts';
import { shiroReadFile } from './tools/read.ts';
import { shiroReadManyFiles } from './tools/read-many.ts';
import { rousseauRead, udiffReadFile } from './tools/read-raw.ts';
import { searchCode } from './tools/search-code.ts';
import { undoTool } from './tools/undo.ts';
import { rousseauWrite, shiroWriteFile, udiffWriteFile } from './tools/write.ts';
import type { PathStyle } from './workspace/path.ts';

/** What tools with a memory outside the workspace are made from. */
export interface Services {
  readonly journal: Journal;
  readonly session: string;
  readonly shell: ShellSettings;
  readonly limits?: ToolLimits;
}

/** Caps and time limits of the `rousseau` dialect. */
export interface ToolLimits {
  /** Milliseconds a command may take. Default 60,000. */
  readonly commandMs?: number;
  /** The most rows `grep` gives. Default 200. */
  readonly grepMatches?: number;
  /** Files with more bytes are skipped by `grep`. Default 4 MiB. */
  readonly grepFileBytes?: number;
}

/** A list of tools with a path style, what errors begin with, and which finish checks apply. */
export interface Dialect {
  readonly name: string;
  readonly pathStyle: PathStyle;
  readonly errorPrefix: string;
  /** Most characters of any result, where the document names a cap for all. */
  readonly maxChars?: number;
  /** True: a turn that changed files ends only after a diff was looked at. */
  readonly checksDiffs: boolean;
  /** True: notes outlive the session, and skills can be loaded. */
  readonly learns: boolean;
  tools(services: Services): readonly Tool[];
}

const maxChars = 30_000;
const shiroIgnoreFiles = ['.benchdogignore', '.shiroignore'];

export const dialects: readonly Dialect[] = [
  {
    name: 'native',
    pathStyle: 'relative',
    errorPrefix: '',
    maxChars,
    checksDiffs: true,
    learns: true,
    tools: (services) => [
      ...shiroTools({
        ignoreFiles: ['.benchdogignore'],
        grep: nativeGrep({ ignoreFiles: ['.benchdogignore'] }),
        bash: nativeBash(services.shell),
      }),
      bashOutput(),
      bashKill(),
      patchTool({ name: 'apply_patch', set: 'edit-plus' }),
      nativeDeleteFile,
      nativeMoveFile,
      undoTool(services.journal, services.session),
    ],
  },
  {
    name: 'udiff',
    pathStyle: 'rooted',
    errorPrefix: 'Tool call failed: ',
    checksDiffs: true,
    learns: false,
    tools: () => [
      udiffReadFile,
      listFiles,
      searchCode(),
      udiffGitDiff(),
      udiffWriteFile,
      patchTool({ name: 'edit_file' }),
      udiffDeleteFile,
    ],
  },
  {
    name: 'shiro',
    pathStyle: 'relative',
    errorPrefix: '',
    maxChars,
    checksDiffs: false,
    learns: true,
    tools: ({ shell }) =>
      shiroTools({
        ignoreFiles: shiroIgnoreFiles,
        grep: shiroGrep({ ignoreFiles: shiroIgnoreFiles }),
        bash: shiroBash(shell),
      }),
  },
  {
    name: 'rousseau',
    pathStyle: 'absolute',
    errorPrefix: '',
    checksDiffs: false,
    learns: false,
    tools: ({ shell, limits: { commandMs, grepMatches, grepFileBytes } = {} }) => [
      rousseauRead,
      rousseauWrite,
      rousseauEdit,
      rousseauGrep({ maxMatches: grepMatches, maxFileBytes: grepFileBytes }),
      rousseauBash({ ...shell, timeoutMs: commandMs }),
    ],
  },
];

interface Variants {
  readonly ignoreFiles: readonly string[];
  readonly grep: Tool;
  readonly bash: Tool;
}

/** The fourteen built-ins that `shiro` and `native` share; `native` searches and runs commands its own way. */
function shiroTools({ ignoreFiles, grep, bash }: Variants): readonly Tool[] {
  return [
    shiroReadFile,
    shiroWriteFile,
    shiroEditFile,
    globTool({ ignoreFiles }),
    grep,
    bash,
    shiroMultiEdit,
    listDir({ ignoreFiles }),
    shiroReadManyFiles,
    gitStatus(),
    gitDiff(),
    gitLog(),
    gitShow(),
    gitBlame(),
  ];
}

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
