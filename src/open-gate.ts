import { createHash, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { reportApprovals } from './agent/report-approvals.ts';
import { ToolError } from './base/error.ts';
import { explainStateFailure } from './base/state-failure.ts';
import type { ChangeSet } from './change/change.ts';
import { commit } from './change/commit.ts';
import { summarize } from './change/diff.ts';
import type { Journal, Origin } from './change/journal.ts';
import { recordDone } from './change/record-done.ts';
import { openJournal } from './change/recover.ts';
import type { Swaps } from './change/swap.ts';
import { commitSwaps } from './change/swap-commit.ts';
import { findHome, ownFiles } from './config/home.ts';
import type { Config } from './config/schema.ts';
import { chooseDialect, chooseTools, type Dialect, type ToolLimits } from './dialects.ts';
import { deniedFiles } from './extend/denied-files.ts';
import { type Approver, nobody } from './gate/approver.ts';
import { openAudit } from './gate/audit.ts';
import { createGate, type Gate } from './gate/gateway.ts';
import { openGrantStore } from './gate/grant-store.ts';
import { createGrants } from './gate/grants.ts';
import type { ApproveMode } from './gate/judge.ts';
import { type Permission, rowsOf } from './gate/permission.ts';
import { createPolicy, type GatePolicy, type PolicyOptions } from './gate/policy.ts';
import type { ApproverConfig } from './gate/rousseau-rules.ts';
import type { Row } from './gate/rule.ts';
import { endOutputs, outputsFolder, removeAbandonedOutputs } from './process/outputs.ts';
import { ownSecretValues } from './process/secret-values.ts';
import { removeAbandoned } from './process/view-clean.ts';
import { viewPlaces } from './process/view-place.ts';
import { secretMask, textMask } from './secret-mask.ts';
import { shellSettings } from './shell-settings.ts';
import { createRegistry, type Registry } from './tool/registry.ts';
import { createToolState, type ToolState } from './tool/state.ts';
import type { Tool } from './tool/tool.ts';
import { endJobs } from './tools/jobs.ts';
import { openRoot, type Root } from './workspace/path.ts';
import { openWorkspace, type Workspace } from './workspace/workspace.ts';

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

/**
 * Opens a workspace, chooses a dialect and puts a gate in front of both: the way in for programs. Reads no configuration
 * file. Sets right what a crash left in the workspace, and says so in `notices`.
 *
 * Throws `ToolError`: `invalid` (an unknown dialect or tool set, a rule that contradicts itself, a limit the dialect hasn't),
 * `missing` (no such folder).
 *
 * @example
 * const { gate, close } = await openGate({ root: 'project', permission: { write_file: { 'docs/**': 'allow' } } });
 * const result = await gate.call({ id: '1', tool: 'write_file', args: { path: 'docs/a.md', content: '# A\n' } });
 * if (!result.ok) console.error(result.code, result.text);
 * await close();
 */
export async function openGate(options: OpenGateOptions = {}): Promise<OpenedGate> {
  const { env = process.env, session = randomUUID(), readOnly = false } = options;
  const home = options.home ?? findHome(env).state;
  const root = resolve(options.root ?? '.');
  const dialect = chooseDialect(options.dialect);
  refuseLimits(dialect, options.limits);
  const rows = [...rowsOf(options.permission ?? {}), ...(options.rows ?? [])];
  const grants = createGrants({ store: openGrantStore(grantsFile(home, openRoot(root))) });
  const own = ownFiles({ config: findHome(env).config, state: home });
  const policy = policyOf(options, root, dialect, rows, { grants, own });
  const outputs = outputsFolder(home, session);
  removeAbandonedOutputs(home);
  const workspace = openWorkspace({
    root,
    pathStyle: dialect.pathStyle,
    visible: policy.visible,
    searchable: policy.searchable,
    mounts: { '@output': outputs, ...options.mounts },
  });
  const explain = (thrown: unknown) => {
    throw explainStateFailure(home, thrown);
  };
  const journal = await openJournal({ home, root: workspace.root, ...given('maxBytes', options.undoBytes) }).catch(
    explain,
  );
  const abandoned = removeAbandoned(viewPlaces(workspace.root.real, home));
  const state = createToolState();
  const denied = deniedFiles(workspace);
  const mask = secretMask(denied, [...ownSecretValues(env), ...(options.secrets ?? [])]);
  const maskText = textMask(mask);
  const builtIn = chooseTools(dialect, options.toolSets, {
    journal,
    session,
    shell: shellSettings({
      workspace,
      outputs: options.ephemeral ? undefined : outputs,
      mask,
      denied,
      env,
      ...given('sandbox', options.sandbox),
      ...given('bash', options.bash),
      home,
    }),
    ...given('limits', options.limits),
  });
  const offered = [...builtIn, ...(options.tools ?? [])].map(options.wrap ?? ((tool) => tool));
  const registry = createRegistry(readOnly ? offered.filter((tool) => tool.readOnly) : offered);
  const audit = openAudit(auditFile(home, workspace.root), { mask: maskText });
  const commitHere: OpenedGate['commit'] = (changes, origin, swaps) => {
    const how = { workspace, journal, origin, summaries: summarize(changes) };
    return swaps === undefined ? commit(changes, how) : commitSwaps(changes, swaps, how);
  };
  const gate = createGate({
    workspace,
    registry,
    policy,
    approver: reportApprovals(options.approver ?? nobody, state),
    session,
    state,
    errorPrefix: dialect.errorPrefix,
    ...(dialect.maxChars === undefined ? {} : { maxChars: dialect.maxChars }),
    repeatGuard: options.repeatGuard ?? false,
    concealed: (path) => !policy.visible(path),
    commit: commitHere,
    noticed: (changes, origin) => recordDone(changes, { journal, origin, summaries: summarize(changes) }),
    decided: (record) => {
      try {
        audit.add({ session, ...record });
      } catch (error) {
        explain(error);
      }
    },
  });
  const close = async () => {
    await endJobs(state);
    journal.close();
    audit.close();
    endOutputs(home, session);
  };
  return {
    gate,
    dialect,
    workspace,
    policy,
    registry,
    journal,
    state,
    rows,
    commit: commitHere,
    mask: maskText,
    notices: [...journal.notices, ...abandoned],
    close,
  };
}

/** The audit log of a workspace; one file, whatever the session. */
export function auditFile(home: string, root: Root): string {
  return workspaceLog(home, 'audit', root);
}

/** What a person allowed for good in a workspace; one file, whatever the session. */
export function grantsFile(home: string, root: Root): string {
  return workspaceLog(home, 'grants', root);
}

/** Where the log of a kind is kept for a workspace. */
export function workspaceLog(home: string, kind: string, root: Root): string {
  return join(home, kind, `${createHash('sha256').update(root.real).digest('hex').slice(0, 32)}.jsonl`);
}

function policyOf(
  options: OpenGateOptions,
  root: string,
  dialect: Dialect,
  rows: readonly Row[],
  kept: Pick<PolicyOptions, 'grants' | 'own'>,
): GatePolicy {
  return (options.createPolicy ?? createPolicy)({
    root,
    rows,
    ...kept,
    ...given('approve', options.approve),
    readOnly: options.readOnly ?? false,
    alwaysStyle: dialect.name === 'shiro' ? 'command' : 'sub-command',
    ...given('plugins', options.plugins),
    ...(dialect.name === 'rousseau' ? given('approver', options.rousseau) : {}),
  });
}

function refuseLimits(dialect: Dialect, limits: ToolLimits = {}): void {
  const names = Object.keys(limits);
  if (names.length === 0 || dialect.name === 'rousseau') return;
  throw new ToolError('invalid', `The ${dialect.name} dialect has no limits to set (${names.join(', ')}).`);
}

/** A field only when it has a value: an absent option and an undefined one are different things. */
function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
