import { ToolError } from '../../src/base/error.ts';
import { createToolState, type ToolState } from '../../src/tool/state.ts';
import type { Effect, Tool } from '../../src/tool/tool.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../src/workspace/workspace.ts';

export interface Outcome {
  readonly text: string;
  /** `ok`, or the error's code. */
  readonly code: string;
  readonly effects: readonly Effect[];
}

/** Runs a reading tool as the gate would when everything is allowed. */
export function reader(options: WorkspaceOptions): {
  workspace: Workspace;
  state: ToolState;
  call(tool: Tool, args: unknown): Promise<Outcome>;
} {
  const workspace = openWorkspace(options);
  const state = createToolState();
  const context = { workspace, state, callId: 'c1', signal: new AbortController().signal, emit: () => {} };
  const call = async (tool: Tool, args: unknown): Promise<Outcome> => {
    let effects: readonly Effect[] = [];
    try {
      const prepared = await tool.prepare(args, context);
      effects = prepared.effects;
      const plan = await prepared.plan();
      if (plan.type !== 'answer') throw new Error('a read answers');
      return { text: plan.text, code: 'ok', effects };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { text: error.message, code: error.code, effects };
    }
  };
  return { workspace, state, call };
}
