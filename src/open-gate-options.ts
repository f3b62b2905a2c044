import type { ChangeSet } from './change/change.ts';
import type { Journal, Origin } from './change/journal.ts';
import type { Swaps } from './change/swap.ts';
import type { Config } from './config/schema.ts';
import type { Dialect, ToolLimits } from './dialects.ts';
import type { Approver } from './gate/approver.ts';
import type { Gate } from './gate/gateway.ts';
import type { ApproveMode } from './gate/judge.ts';
import type { Permission } from './gate/permission.ts';
import type { GatePolicy, PolicyOptions } from './gate/policy.ts';
import type { ApproverConfig } from './gate/rousseau-rules.ts';
import type { Row } from './gate/rule.ts';
import type { Registry } from './tool/registry.ts';
import type { ToolState } from './tool/state.ts';
import type { Tool } from './tool/tool.ts';
import type { Workspace } from './workspace/workspace.ts';

/** What a gate is opened with; everything has a default. */
export interface OpenGateOptions {
  /** The folder worked on. Default: the current folder. */
  readonly root?: string;
  /** `native` (default), `udiff`, `shiro` or `rousseau`. */
  readonly dialect?: string;
  /** Tool sets beyond core, of `edit-plus` and `git`. Default: all. */
  readonly toolSets?: readonly string[];
  /** Your own tools, offered beside the dialect's. */
  readonly tools?: readonly Tool[];
  /** Put around every tool that is offered. */
  readonly wrap?: (tool: Tool) => Tool;
  /** Rules, as the `permission` section of a configuration file has them. */
  readonly permission?: Permission;
  /** Further rules, behind those of `permission`; later ones win. */
  readonly rows?: readonly Row[];
  /** Absolute paths of the files that the rules come from: no call changes them. */
  readonly settings?: readonly string[];
  /** What becomes of an *ask*: put to the approver (`ask`, the default), allowed for edits, allowed, or refused. */
  readonly approve?: ApproveMode;
  /** Who is asked. Default: nobody, and what would be asked is denied. */
  readonly approver?: Approver;
  /** How the `rousseau` dialect approves, beside the rules. */
  readonly rousseau?: ApproverConfig;
  /** Guards to switch off, each with a dash in front: `-guard`, `-secrets`, `-protect`. Default: all are on. */
  readonly plugins?: readonly string[];
  /** Makes the policy from what these options come to. Default: `createPolicy`. */
  readonly createPolicy?: (options: PolicyOptions) => GatePolicy;
  /** Further values to hide in what commands print and logs keep, such as keys. */
  readonly secrets?: readonly string[];
  /** True: nothing that changes files or runs commands is offered or allowed. */
  readonly readOnly?: boolean;
  /** Caps and time limits where the dialect has some: `rousseau`. */
  readonly limits?: ToolLimits;
  /** What commands run in. Default: a sandbox where the machine has one. */
  readonly sandbox?: Config['sandbox'];
  /** Whether commands run on a view of the workspace, at all or before they are approved. Default: on the workspace itself. */
  readonly bash?: Config['bash'];
  /** What commands inherit, scrubbed of keys. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder of the undo journal, the audit log, stored grants and whole outputs. Default: the platform's, or `BENCHDOG_HOME`. */
  readonly home?: string;
  /** How large the undo journal of a workspace may grow, in bytes. */
  readonly undoBytes?: number;
  /** Goes into the journal; `undo` the tool puts back what this session changed. Default: a new one. */
  readonly session?: string;
  /** True for a single call: no whole output of a command outlives it, so none is kept. Default: false. */
  readonly ephemeral?: boolean;
  /** True inside an agent's turn: the third identical call is asked, or refused. Default: false. */
  readonly repeatGuard?: boolean;
  /** Read-only folders outside the root, by the name that path texts begin with. */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** A gate with all that stands behind it. */
export interface OpenedGate {
  readonly gate: Gate;
  readonly dialect: Dialect;
  readonly workspace: Workspace;
  readonly policy: GatePolicy;
  /** The tools on offer; may be added to and taken from while calls run. */
  readonly registry: Registry;
  readonly journal: Journal;
  readonly state: ToolState;
  /** Every rule in force; of those that match, the last wins. */
  readonly rows: readonly Row[];
  /** The one writer, bound to the journal; for what a person does without a tool call. */
  commit(changes: ChangeSet, origin: Origin, swaps?: Swaps): Promise<unknown>;
  /** Hides secrets in text that is to be written somewhere. */
  mask(text: string): string;
  /** What a crash left and how it was set right; one line each. */
  readonly notices: readonly string[];
  /** Ends background commands and lets go of the journal. The gate must not be used afterwards. */
  close(): Promise<void>;
}

/** A field only when it has a value: an absent option and an undefined one are different things. */
export function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
