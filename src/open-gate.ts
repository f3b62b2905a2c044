import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { reportApprovals } from './agent/report-approvals.ts';
import { ToolError } from './base/error.ts';
import { explainStateFailure } from './base/state-failure.ts';
import { commit } from './change/commit.ts';
import { summarize } from './change/diff.ts';
import { recordDone } from './change/record-done.ts';
import { openJournal } from './change/recover.ts';
import { commitSwaps } from './change/swap-commit.ts';
import { findHome } from './config/home.ts';
import { chooseDialect, chooseTools, type Dialect, type ToolLimits } from './dialects.ts';
import { deniedFiles } from './extend/denied-files.ts';
import { nobody } from './gate/approver.ts';
import { type Audit, openAudit } from './gate/audit.ts';
import { createGate, type Gate } from './gate/gateway.ts';
import { rowsOf } from './gate/permission.ts';
import { given, type OpenedGate, type OpenGateOptions } from './open-gate-options.ts';
import { openPolicy } from './open-policy.ts';
import { endOutputs, outputsFolder, removeAbandonedOutputs } from './process/outputs.ts';
import { ownSecretValues } from './process/secret-values.ts';
import { removeAbandoned } from './process/view-clean.ts';
import { viewPlaces } from './process/view-place.ts';
import { secretMask, textMask } from './secret-mask.ts';
import { shellSettings } from './shell-settings.ts';
import { createRegistry, type Registry } from './tool/registry.ts';
import { createToolState } from './tool/state.ts';
import type { ShellSettings } from './tools/command.ts';
import { endJobs } from './tools/jobs.ts';
import { openWorkspace } from './workspace/workspace.ts';
import { auditFile } from './workspace-logs.ts';

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
  const { env = process.env, session = randomUUID() } = options;
  const home = options.home ?? findHome(env).state;
  const root = resolve(options.root ?? '.');
  const dialect = chooseDialect(options.dialect);
  refuseLimits(dialect, options.limits);
  const rows = [...rowsOf(options.permission ?? {}), ...(options.rows ?? [])];
  const policy = openPolicy(options, { root, home, dialect, rows });
  const outputs = outputsFolder(home, session);
  removeAbandonedOutputs(home);
  const workspace = openWorkspace({
    root,
    pathStyle: dialect.pathStyle,
    visible: policy.visible,
    searchable: policy.searchable,
    mounts: { '@output': outputs, ...options.mounts },
  });
  const journal = await openJournal({ home, root: workspace.root, ...given('maxBytes', options.undoBytes) }).catch(
    (thrown) => {
      throw explainStateFailure(home, thrown);
    },
  );
  const abandoned = removeAbandoned(viewPlaces(workspace.root.real, home));
  const state = createToolState();
  const denied = deniedFiles(workspace);
  const mask = secretMask(denied, [...ownSecretValues(env), ...(options.secrets ?? [])]);
  const place: Place = { dialect, home, session, workspace, policy, journal, state };
  const shell = shellSettings({
    workspace,
    home,
    outputs: options.ephemeral ? undefined : outputs,
    mask,
    env,
    ...given('sandbox', options.sandbox),
    ...given('bash', options.bash),
  });
  const registry = openTools(options, place, shell);
  const audit = openAudit(auditFile(home, workspace.root), { mask: textMask(mask) });
  const commitHere = committer(place);
  const close = async () => {
    await endJobs(state);
    await shell.views?.close();
    journal.close();
    audit.close();
    endOutputs(home, session);
  };
  return {
    gate: gateOver(options, place, { registry, audit, commit: commitHere }),
    dialect,
    workspace,
    policy,
    registry,
    journal,
    state,
    rows,
    commit: commitHere,
    mask: textMask(mask),
    notices: [...journal.notices, ...abandoned],
    close,
  };
}

/** What was opened first, and everything else stands on. */
interface Place extends Pick<OpenedGate, 'dialect' | 'workspace' | 'policy' | 'journal' | 'state'> {
  readonly home: string;
  readonly session: string;
}

function openTools(options: OpenGateOptions, { dialect, journal, session }: Place, shell: ShellSettings): Registry {
  const builtIn = chooseTools(dialect, options.toolSets, {
    journal,
    session,
    shell,
    ...given('limits', options.limits),
  });
  const offered = [...builtIn, ...(options.tools ?? [])].map(options.wrap ?? ((tool) => tool));
  return createRegistry(options.readOnly === true ? offered.filter((tool) => tool.readOnly) : offered);
}

function committer({ workspace, journal }: Place): OpenedGate['commit'] {
  return (changes, origin, swaps) => {
    const how = { workspace, journal, origin, summaries: summarize(changes) };
    return swaps === undefined ? commit(changes, how) : commitSwaps(changes, swaps, how);
  };
}

interface GateParts {
  readonly registry: Registry;
  readonly audit: Audit;
  readonly commit: OpenedGate['commit'];
}

function gateOver(options: OpenGateOptions, place: Place, { registry, audit, commit }: GateParts): Gate {
  const { dialect, workspace, policy, journal, state, session, home } = place;
  return createGate({
    workspace,
    registry,
    policy,
    approver: reportApprovals(options.approver ?? nobody, state),
    session,
    state,
    errorPrefix: dialect.errorPrefix,
    ...given('maxChars', dialect.maxChars),
    repeatGuard: options.repeatGuard ?? false,
    concealed: (path) => !policy.visible(path),
    commit,
    noticed: (changes, origin) => recordDone(changes, { journal, origin, summaries: summarize(changes) }),
    decided: (record) => {
      try {
        audit.add({ session, ...record });
      } catch (error) {
        throw explainStateFailure(home, error);
      }
    },
  });
}

function refuseLimits(dialect: Dialect, limits: ToolLimits = {}): void {
  const names = Object.keys(limits);
  if (names.length === 0 || dialect.name === 'rousseau') return;
  throw new ToolError('invalid', `The ${dialect.name} dialect has no limits to set (${names.join(', ')}).`);
}
