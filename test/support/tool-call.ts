import { createToolState, type ToolState } from '../../src/tool/state.ts';
import type { Progress, Tool, ToolContext } from '../../src/tool/tool.ts';
import { openWorkspace, type WorkspaceOptions } from '../../src/workspace/workspace.ts';

/** What a call came to, without a gate in front: the text, and the code when it failed. */
export interface CallResult {
  readonly text: string;
  readonly code?: string;
  readonly progress: readonly Progress[];
}

export interface CallOptions extends Partial<WorkspaceOptions> {
  readonly root: string;
  readonly signal?: AbortSignal;
  readonly state?: ToolState;
  readonly callId?: string;
}

/** Prepares, plans and runs one call; errors become results. For tools that change no files. */
export async function callTool(tool: Tool, args: unknown, options: CallOptions): Promise<CallResult> {
  const progress: Progress[] = [];
  const context: ToolContext = {
    workspace: openWorkspace(options),
    callId: options.callId ?? 'call-1',
    signal: options.signal ?? new AbortController().signal,
    state: options.state ?? createToolState(),
    emit: (news) => void progress.push(news),
  };
  try {
    const plan = await (await tool.prepare(args, context)).plan();
    if (plan.type === 'change') throw new Error('a change plan needs a gate');
    if (plan.type === 'answer') return { text: plan.text, progress };
    return { ...(await plan.run()), progress };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined) throw error;
    return { text: message, code, progress };
  }
}
