import { ToolError } from '../base/error.ts';
import type { Watch } from '../change/watch.ts';
import { childEnvironment, type Environment } from '../process/environment.ts';
import { type RunOptions, type RunResult, run } from '../process/run.ts';
import type { Sandbox } from '../process/sandbox.ts';
import { type ShellKind, shellInvocation, shellName } from '../process/shell.ts';
import type { Masker } from '../process/text-filter.ts';
import type { NoViews, Views } from '../process/views.ts';
import type { Effect, ToolContext } from '../tool/tool.ts';
import { type FilePath, resolvePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** What the shell tools need besides their arguments; everything has a default. */
export interface ShellSettings {
  /** The environment commands get. Default: ours, scrubbed. Asked at each call. */
  readonly env?: () => Environment;
  /** What hides secrets in output. Asked at each call, so that it knows the denied files as they are. */
  readonly mask?: () => Masker | Promise<Masker>;
  /** The folder for whole outputs, served to the model as `@output/ID`. None: nothing is kept. */
  readonly outputs?: string;
  /** What commands run in. None: they run as they are. */
  readonly sandbox?: () => Promise<Sandbox>;
  /** Notices what commands change on the workspace itself. None: nobody looks. */
  readonly watch?: Watch;
  /** Running commands on views of the workspace. None: they always run on the workspace itself. */
  readonly views?: ViewSettings;
}

/** When commands run on a view, and what becomes of it. */
export interface ViewSettings {
  readonly find: () => Promise<Views | NoViews>;
  /** To be called at the end: until then views are kept ready, and removed ones may still be there. */
  readonly close: () => Promise<void>;
  /** True: every command that may run does so in a view, and what it did is committed at once. */
  readonly always: boolean;
  /** True: a command that is to be asked about is tried out in a view first. */
  readonly preview: boolean;
  /** What becomes of the changes of a command that failed. */
  readonly failed: 'commit' | 'drop';
  /** The sandbox of commands that are only tried out. */
  readonly isolated: () => Promise<Sandbox>;
  /** Folders that commands may write although no view holds it back, such as caches. */
  readonly outside: () => readonly string[];
}

export interface Command {
  readonly command: string;
  readonly kind: ShellKind;
  readonly timeoutMs: number;
}

export function executeEffect(workspace: Workspace, kind: ShellKind, command: string): Effect {
  const shell = shellName === 'cmd' ? 'cmd' : kind === 'posix' ? 'sh' : 'bash';
  return { kind: 'execute', shell, command, cwd: rootPath(workspace) };
}

/** The workspace's root as a path, whatever spelling of paths the dialect has. */
export function rootPath(workspace: Workspace): FilePath {
  return resolvePath(workspace.root, '.', 'relative');
}

/** What a command came to, and in what it ran. */
export interface CommandResult extends RunResult {
  /** Undefined when no sandbox was asked for. */
  readonly sandbox?: Sandbox['name'];
}

export async function runCommand(
  settings: ShellSettings,
  context: ToolContext,
  command: Command,
): Promise<CommandResult> {
  const { options, sandbox } = await commandOptions(settings, context, command);
  const result = await run(options);
  if (sandbox === 'bubblewrap') refuseUnprepared(result);
  return { ...result, ...(sandbox === undefined ? {} : { sandbox }) };
}

/** What bubblewrap says when it could not make the sandbox must not pass for the command's own end. */
function refuseUnprepared({ ending, stdout, stderr }: RunResult): void {
  const own = ending.type === 'exit' && ending.code === 1 && stdout.bytes === 0 && stderr.head.startsWith('bwrap: ');
  if (!own || stderr.head.trimEnd().includes('\n')) return;
  throw new ToolError(
    'failed',
    `The sandbox could not be set up, so nothing was run (${stderr.head.trim()}). "sandbox": {"mode": "off"} runs without one.`,
  );
}

export async function commandOptions(
  settings: ShellSettings,
  context: ToolContext,
  { command, kind, timeoutMs }: Command,
): Promise<{ readonly options: RunOptions; readonly sandbox?: Sandbox['name'] }> {
  const { root } = context.workspace;
  const sandbox = await settings.sandbox?.();
  const mask = await settings.mask?.();
  const shell = shellInvocation(kind, command, root.real);
  const options: RunOptions = {
    ...(sandbox === undefined ? shell : sandbox.wrap(shell, root.real)),
    cwd: root.real,
    env: settings.env?.() ?? childEnvironment(),
    timeoutMs,
    signal: context.signal,
    onOutput: (stream, text) => context.emit({ type: 'output', stream, text }),
    ...(mask === undefined ? {} : { mask }),
    ...(settings.outputs === undefined ? {} : { spool: { folder: settings.outputs, id: outputId(context.callId) } }),
  };
  return sandbox === undefined ? { options } : { options, sandbox: sandbox.name };
}

/** The call's id as a plain file name. */
function outputId(callId: string): string {
  return (
    [...callId]
      .filter((char) => /[A-Za-z0-9_-]/.test(char))
      .join('')
      .slice(-40) || 'output'
  );
}
