import type { Tool } from '../tool/tool.ts';

/**
 * What the default export of a plugin's module may hold; all of it is optional.
 *
 * @example
 * export default {
 *   before: ({ tool, arguments: args }) => (tool === 'bash' && /deploy/.test(args.command) ? 'deploys are done by CI' : undefined),
 *   prompt: () => 'Commit messages follow Conventional Commits.',
 * };
 */
export interface Plugin {
  /** Made with `defineTool`. Their calls are asked, unless `autoApprove` names them. */
  readonly tools?: readonly Tool[];
  /** Names of own tools that need nobody's approval. */
  readonly autoApprove?: readonly string[];
  /** Called before any tool's call is looked at. A text refuses it and is told to the model; throwing refuses too. */
  before?(call: PluginCall): string | undefined | Promise<string | undefined>;
  /** Called when a turn has ended, whatever its outcome. */
  afterTurn?(turn: FinishedTurn): void | Promise<void>;
  /** Added to the instructions of every session. */
  prompt?(): string | Promise<string>;
}

/** A call on its way to the gate; a copy, so changing it changes nothing. */
export interface PluginCall {
  readonly tool: string;
  /** As the model sent them, parsed but not yet checked. */
  readonly arguments: unknown;
}

export interface FinishedTurn {
  /** What the command would end with: 0 done, 3 unfinished, 4 unverified, … */
  readonly exitCode: number;
  /** The final answer. */
  readonly text: string;
  /** The files that the turn changed, relative to the workspace. */
  readonly changed: readonly string[];
}
