import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { ToolError } from './base/error.ts';
import { unknownName } from './base/suggest.ts';
import type { ChangeSet } from './change/change.ts';
import { commit } from './change/commit.ts';
import { summarize } from './change/diff.ts';
import type { Journal, Origin } from './change/journal.ts';
import { openJournal } from './change/recover.ts';
import { findHome, type Home } from './config/home.ts';
import { loadConfig } from './config/load.ts';
import { rowOfFlag } from './config/rows.ts';
import type { Config } from './config/schema.ts';
import { chooseDialect, chooseTools, type Dialect } from './dialects.ts';
import { deniedFiles } from './extend/denied-files.ts';
import { type ExtensionFlags, type Extensions, openExtensions } from './extensions.ts';
import type { Approver } from './gate/approver.ts';
import { openAudit } from './gate/audit.ts';
import { createGate, type Gate } from './gate/gateway.ts';
import type { ApproveMode } from './gate/judge.ts';
import { createPolicy, type GatePolicy } from './gate/policy.ts';
import type { Row } from './gate/rule.ts';
import { secretMask, textMask } from './secret-mask.ts';
import { shellSettings } from './shell-settings.ts';
import { createRegistry, type Registry } from './tool/registry.ts';
import { createToolState, type ToolState } from './tool/state.ts';
import { endJobs } from './tools/jobs.ts';
import { openRoot, type Root } from './workspace/path.ts';
import { openWorkspace, type Workspace } from './workspace/workspace.ts';

/** What a caller may set, by the names of the command line's common flags. */
export interface Settings extends ExtensionFlags {
  readonly root?: string;
  readonly dialect?: string;
  /** Tool sets beyond core, comma-separated. */
  readonly tools?: string;
  readonly approve?: string;
  readonly yolo?: boolean;
  readonly config?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly trust?: boolean;
}

export interface AppOptions {
  readonly flags: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly approver: Approver;
  /** The session's id; it goes into the journal. */
  readonly session: string;
  /** True for a single call: no output outlives it, so none is kept. */
  readonly ephemeral?: boolean;
  /** Inside an agent's turn: the third identical call is asked, or refused. */
  readonly repeatGuard?: boolean;
  /** Told of what a person should know while the app is in use. */
  readonly notice?: (text: string) => void;
}

/** Everything one run works with, wired once. */
export interface App {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly home: Home;
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly policy: GatePolicy;
  readonly registry: Registry;
  readonly state: ToolState;
  readonly gate: Gate;
  readonly extensions: Extensions;
  /** The one writer, bound to the journal; for what a person does without a tool call. */
  commit(changes: ChangeSet, origin: Origin): Promise<unknown>;
  /** Hides secrets in text that is to be written somewhere. */
  mask(text: string): string;
  /** The configuration files that were read. */
  readonly files: readonly string[];
  readonly trusted: boolean;
  /** Every permission row in force, in the order of its layers. */
  readonly rows: readonly Row[];
  /** What a person should know: ignored settings, a crash that was set right. One line each. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

const approveModes: readonly ApproveMode[] = ['ask', 'edits', 'all', 'none'];

export async function createApp(options: AppOptions): Promise<App> {
  const { flags, env, session } = options;
  const home = findHome(env);
  const root = resolve(flags.root ?? '.');
  const loaded = loadConfig({ root, home, env, ...optional('file', flags.config), ...optional('trust', flags.trust) });
  const { config } = loaded;
  const dialect = chooseDialect(flags.dialect ?? config.dialect);
  const extensions = await openExtensions({
    flags,
    config,
    root: openRoot(root).real,
    trusted: loaded.trusted,
    home,
    env,
    learns: dialect.learns,
    notice: options.notice ?? (() => {}),
  });
  const rows = [
    ...extensions.allows,
    ...loaded.rows,
    ...(flags.allow ?? []).map((text) => rowOfFlag('allow', text)),
    ...(flags.deny ?? []).map((text) => rowOfFlag('deny', text)),
    ...extensions.refusals,
  ];
  const policy = createPolicy({
    root,
    rows,
    approve: approveMode(flags),
    readOnly: flags.plan === true,
    alwaysStyle: dialect.name === 'shiro' ? 'command' : 'sub-command',
    ...optional('plugins', config.plugins),
    ...(dialect.name === 'rousseau' ? optional('approver', config.approver) : {}),
  });
  const outputs = join(home.state, 'outputs', session);
  const workspace = openWorkspace({
    root,
    pathStyle: dialect.pathStyle,
    visible: policy.visible,
    mounts: { '@output': outputs, ...extensions.mounts },
  });
  const journal = await openJournal({
    home: home.state,
    root: workspace.root,
    ...optional('maxBytes', config.undoBytes),
  });
  const state = createToolState();
  const denied = deniedFiles(workspace);
  const mask = secretMask(denied, env);
  const maskText = textMask(mask);
  const builtIn = chooseTools(dialect, setsOf(flags, config), {
    journal,
    session,
    shell: shellSettings({ workspace, outputs: options.ephemeral ? undefined : outputs, mask, denied, env, config }),
  });
  const offered = [...builtIn, ...extensions.tools].map(extensions.guard);
  const registry = createRegistry(flags.plan === true ? offered.filter((tool) => tool.readOnly) : offered);
  const audit = openAudit(auditFile(home, workspace.root), { mask: maskText });
  const commitHere: App['commit'] = (changes, origin) =>
    commit(changes, { workspace, journal, origin, summaries: summarize(changes) });
  const gate = createGate({
    workspace,
    registry,
    policy,
    approver: options.approver,
    session,
    state,
    errorPrefix: dialect.errorPrefix,
    repeatGuard: options.repeatGuard ?? false,
    concealed: (path) => !policy.visible(path),
    commit: commitHere,
    decided: (record) => audit.add({ session, ...record }),
  });
  return {
    config,
    dialect,
    home,
    workspace,
    journal,
    policy,
    registry,
    state,
    gate,
    extensions,
    commit: commitHere,
    mask: maskText,
    files: loaded.files,
    trusted: loaded.trusted,
    rows,
    notices: [...loaded.notices, ...journal.notices, ...extensions.notices],
    close: async () => {
      await Promise.all([endJobs(state), extensions.close()]);
      journal.close();
      audit.close();
    },
  };
}

/** The audit log of a workspace; one file, whatever the session. */
export function auditFile(home: Home, root: Root): string {
  return join(home.state, 'audit', `${createHash('sha256').update(root.real).digest('hex').slice(0, 32)}.jsonl`);
}

function approveMode(flags: Settings): ApproveMode {
  if (flags.yolo === true) return 'all';
  const mode = flags.approve ?? 'ask';
  if ((approveModes as readonly string[]).includes(mode)) return mode as ApproveMode;
  throw new ToolError('invalid', unknownName('approval mode', mode, approveModes));
}

function setsOf(flags: Settings, config: Config): readonly string[] | undefined {
  if (flags.tools === undefined) return config.toolSets;
  return flags.tools
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A field only when it has a value: an absent option and an undefined one are different things. */
function optional<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
