import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Checks, Limits } from './agent/agent.ts';
import type { Model } from './model/model.ts';
import type { OpenedGate } from './open-gate-options.ts';

export interface OpenAgentOptions {
  readonly model: Model;
  /** Steps, seconds and dollars a turn may take. Default: 50 steps. */
  readonly limits?: Partial<Limits>;
  /** Finish checks. Default: diffs as the dialect has it, claims where there is a shell, two reminders. */
  readonly checks?: Partial<Checks>;
  /** Added to the instructions the model gets. */
  readonly extra?: readonly string[];
  /** True when somebody answers approvals. Default: false. */
  readonly attended?: boolean;
}

/**
 * Puts a model behind an opened gate, for `runTurn`.
 *
 * @example
 * const opened = await openGate({ root: 'project', approve: 'edits' });
 * const model = await openModel({ id: 'anthropic/claude-sonnet-4-5', env: process.env });
 * const signal = new AbortController().signal;
 * for await (const event of runTurn(openAgent(opened, { model }), memorySession(), 'Fix the typo', { signal })) {
 *   if (event.type === 'done') console.log(event.text);
 * }
 */
export function openAgent(opened: OpenedGate, options: OpenAgentOptions): Agent {
  const { gate, workspace, state, journal, registry, dialect } = opened;
  const { root } = workspace;
  const parts = {
    root: root.spelled,
    git: existsSync(join(root.real, '.git')),
    platform: process.platform,
    attended: options.attended ?? false,
    planOnly: registry.list().every((tool) => tool.readOnly),
    instructions: [],
    notes: [],
    skills: [],
    extra: options.extra ?? [],
  };
  return {
    model: options.model,
    gate,
    workspace,
    state,
    journal,
    instructions: () => parts,
    limits: { maxSteps: 50, ...options.limits },
    checks: {
      diffs: dialect.checksDiffs,
      claims: registry.get('bash') !== undefined,
      maxNudges: 2,
      ...options.checks,
    },
  };
}
