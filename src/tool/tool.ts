import type * as z from 'zod';
import type { JsonSchema } from '../base/schema.ts';
import { parseArguments, toJsonSchema } from '../base/schema.ts';
import type { ChangeSet } from '../change/change.ts';
import type { Reverts } from '../change/journal.ts';
import type { Swaps } from '../change/swap.ts';
import type { ShownSwaps } from '../change/swap-show.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ToolState } from './state.ts';

/** Which group of tools a tool is switched on with; tools without a set are always offered. */
export type ToolSet = 'core' | 'edit-plus' | 'git';

/**
 * What a call would do to the world, named before anything is done. Rules judge effects, never the request's text alone.
 *
 * - `read`, `write`, `delete`: one file or folder, by its jailed path
 * - `execute` with `command`: text for a shell; the gate takes it apart into commands, reads and writes
 * - `execute` with `tool`: a foreign tool (MCP, plugin) with its arguments
 * - `network`: a host, or `*` when it can't be known
 */
export type Effect =
  | { readonly kind: 'read' | 'write' | 'delete'; readonly path: FilePath }
  | {
      readonly kind: 'execute';
      readonly shell: 'bash' | 'sh' | 'cmd';
      readonly command: string;
      readonly cwd: FilePath;
    }
  | { readonly kind: 'execute'; readonly tool: string; readonly arguments: unknown }
  | { readonly kind: 'network'; readonly host: string };

/** What a tool answers with: nothing has happened yet when the gate sees it. */
export type Plan = AnswerPlan | ChangePlan | ActionPlan;

/** The call only read; `text` is its result. */
export interface AnswerPlan {
  readonly type: 'answer';
  readonly text: string;
}

/** The call wants to change files. The gate shows `changes`, commits them, and answers `done`. */
export interface ChangePlan {
  readonly type: 'change';
  readonly changes: ChangeSet;
  readonly done: string;
  /** True for a whole-file write or a delete: refused as `stale` when the file changed since this session read it. */
  readonly whole?: boolean;
  /** The journal entries this puts back or does again. */
  readonly reverts?: Reverts;
  /** Set when the changes happen by moving files instead of writing them: what a command did, and taking it back. */
  readonly swaps?: Swaps;
}

/** The call wants to run something that is not a file change. `preview` is what a person approves. */
export interface ActionPlan {
  readonly type: 'action';
  readonly preview: string;
  run(): Promise<ActionOutcome>;
  /** For what can be tried out before it is approved. */
  readonly rehearsal?: Rehearsal;
}

/** Running an action where nothing it does to files is real, without network. */
export interface Rehearsal {
  /** True: before a person is asked; else only when the person wants it. */
  readonly first: boolean;
  /** Why it can't be done on this machine; undefined when it can. */
  problem(): Promise<string | undefined>;
  /** What it comes to; `pending` is always set. */
  run(): Promise<ActionOutcome>;
}

export interface ActionOutcome {
  readonly text: string;
  /** Set when the action failed but its text must still reach the model (a non-zero exit in `rousseau`, a time-out). */
  readonly code?: import('../base/error.ts').ErrorCode;
  /** Changes that have happened already, noticed by looking: the gate journals them, so that they can be taken back. */
  readonly noticed?: ChangeSet;
  /** What the action did where it is not real yet: it passes judge → approve → commit like a change plan. */
  readonly pending?: Pending;
}

/** What an action did, or proposes, that is not real yet. */
export interface Pending {
  readonly changes: ChangeSet;
  /** Set when a command did it on a view of the workspace: its files are there, to be moved. */
  readonly view?: PendingView;
}

export interface PendingView extends Pick<ShownSwaps, 'touched'> {
  readonly swaps: Swaps;
  /** Removes the view; to be called once, whatever became of it. With `keep` it stays until the next start. Tells where it is. */
  close(how?: 'keep'): string;
}

/** Live news of a running call, for a UI. */
export type Progress =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'status'; readonly text: string };

/** What the gate gives a call. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** State that lives as long as the session, by slot. */
  readonly state: ToolState;
  emit(progress: Progress): void;
}

/** A parsed call: arguments checked, paths jailed, nothing read yet. */
export interface Call {
  readonly effects: readonly Effect[];
  /** What the call is about in one line, for prompts, rules and logs: a path, a command, a pattern. */
  readonly subject: string;
  plan(): Promise<Plan>;
}

/** One tool as the gate knows it. Not generic: its argument type ended in `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly set?: ToolSet;
  /** True when no call of this tool ever changes the workspace or runs a program. */
  readonly readOnly: boolean;
  /** Parses the arguments and names the effects. Throws `ToolError` (`invalid`, `outside`, …). */
  prepare(raw: unknown, context: ToolContext): Promise<Call>;
}

export interface ToolDefinition<T> {
  readonly name: string;
  readonly description: string;
  readonly set?: ToolSet;
  readonly readOnly?: boolean;
  /** A strict zod object; its inferred type is what `prepare` receives. */
  readonly input: z.ZodType<T>;
  prepare(input: T, context: ToolContext): Call | Promise<Call>;
}

/**
 * Makes a tool from a schema and one function; the schema and the arguments can't drift apart.
 *
 * @example
 * const shout = defineTool({
 *   name: 'shout',
 *   description: 'Repeats text in capitals.',
 *   input: z.strictObject({ text: z.string() }),
 *   readOnly: true,
 *   prepare: ({ text }) => ({
 *     effects: [],
 *     subject: text,
 *     plan: async () => ({ type: 'answer', text: text.toUpperCase() }),
 *   }),
 * });
 */
export function defineTool<T>(definition: ToolDefinition<T>): Tool {
  const { name, description, input, set } = definition;
  return {
    name,
    description,
    input: toJsonSchema(input),
    ...(set === undefined ? {} : { set }),
    readOnly: definition.readOnly ?? false,
    prepare: async (raw, context) => definition.prepare(parseArguments(name, input, raw), context),
  };
}
