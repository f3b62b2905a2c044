import { resolve } from 'node:path';
import { ToolError } from './base/error.ts';
import { unknownName } from './base/suggest.ts';
import type { ChangeSet } from './change/change.ts';
import { findHome, type Home } from './config/home.ts';
import { readKeys } from './config/keys.ts';
import { loadConfig } from './config/load.ts';
import { rowOfFlag } from './config/rows.ts';
import type { Config } from './config/schema.ts';
import { openShadow } from './config/shadow.ts';
import { chooseDialect } from './dialects.ts';
import { type ExtensionFlags, type Extensions, openExtensions } from './extensions.ts';
import type { Approver } from './gate/approver.ts';
import type { ApproveMode } from './gate/judge.ts';
import { type Mode, policyInModes } from './gate/modes.ts';
import type { GatePolicy, PolicyOptions } from './gate/policy.ts';
import { openGate } from './open-gate.ts';
import type { OpenedGate } from './open-gate-options.ts';
import type { Tool } from './tool/tool.ts';
import { openRoot } from './workspace/path.ts';
import { workspaceLog } from './workspace-logs.ts';

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
  /** How it works at the moment, where a person may change that; else `flags` say it once and for all. */
  readonly mode?: () => Mode;
  /** Told what a call would change, before it is judged. */
  readonly onPlan?: (callId: string, changes: ChangeSet) => void;
  /** Told of what a person should know while the app is in use. */
  readonly notice?: (text: string) => void;
}

/** Everything one run works with, wired once. */
export interface App extends OpenedGate {
  readonly config: Config;
  readonly home: Home;
  readonly extensions: Extensions;
  /** The configuration files that were read. */
  readonly files: readonly string[];
  readonly trusted: boolean;
  /** What a person should know: ignored settings, a crash that was set right. One line each. */
  readonly notices: readonly string[];
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
  const shadow =
    config.shadow === undefined
      ? undefined
      : openShadow({ file: config.shadow, log: workspaceLog(home.state, 'shadow', openRoot(root)), session });
  const opened = await openGate({
    root,
    dialect: dialect.name,
    ...optional('toolSets', setsOf(flags, config)),
    tools: extensions.tools,
    wrap: watched(extensions.guard, options.onPlan),
    rows,
    settings: [flags.config, config.shadow].flatMap((file) => (file === undefined ? [] : [resolve(file)])),
    ...optional('approve', approveMode(flags)),
    approver: options.approver,
    ...optional('rousseau', config.approver),
    ...optional('plugins', config.plugins),
    ...optional('createPolicy', inModes(options, shadow?.createPolicy)),
    secrets: Object.values(readKeys(home)),
    readOnly: flags.plan === true,
    ...optional('sandbox', config.sandbox),
    ...optional('bash', config.bash),
    env,
    home: home.state,
    ...optional('undoBytes', config.undoBytes),
    session,
    ephemeral: options.ephemeral ?? false,
    repeatGuard: options.repeatGuard ?? false,
    mounts: extensions.mounts,
  });
  return {
    ...opened,
    config,
    home,
    extensions,
    files: loaded.files,
    trusted: loaded.trusted,
    notices: [...loaded.notices, ...opened.notices, ...extensions.notices],
    close: async () => {
      await extensions.close();
      await opened.close();
      shadow?.close();
    },
  };
}

type MakePolicy = (options: PolicyOptions) => GatePolicy;

function inModes({ mode }: AppOptions, make: MakePolicy | undefined): MakePolicy | undefined {
  return mode === undefined ? make : (options) => policyInModes(options, mode, make);
}

type Wrap = (tool: Tool) => Tool;

/** The same tools; what they plan to change is told as well. */
function watched(guard: Wrap, onPlan: AppOptions['onPlan']): Wrap {
  if (onPlan === undefined) return guard;
  return (tool) => {
    const guarded = guard(tool);
    return {
      ...guarded,
      prepare: async (raw, context) => {
        const call = await guarded.prepare(raw, context);
        const plan = async () => {
          const made = await call.plan();
          if (made.type === 'change') onPlan(context.callId, made.changes);
          return made;
        };
        return { ...call, plan };
      },
    };
  };
}

/** Undefined when no flag says so: then the dialect's own approver may. */
export function approveMode(flags: Settings): ApproveMode | undefined {
  if (flags.yolo === true) return 'all';
  const mode = flags.approve;
  if (mode === undefined) return undefined;
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
