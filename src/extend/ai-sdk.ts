import { jsonSchema, type ModelMessage, type Tool, type ToolSet } from 'ai';
import { ToolError } from '../base/error.ts';
import { type Approver, nobody } from '../gate/approver.ts';
import type { Gate, OfferedTool, ToolResult } from '../gate/gateway.ts';

export interface AiSdkOptions {
  /**
   * Who approves what the rules put to a person.
   *
   * - `sdk` (default): the AI SDK's own approval. The stream ends with a `tool-approval-request`; a call is carried out
   *   when the messages that come back hold an approval of it. What is approved are the arguments.
   * - `gate`: the gate's approver, which is shown the exact change.
   */
  readonly approval?: 'sdk' | 'gate';
}

type Done = Extract<ToolResult, { ok: true }>;

/**
 * The tools of a gate for `generateText` and `streamText` of the Vercel AI SDK, version 6. Every call goes through the gate:
 * a refused or failed one throws `ToolError`, whose text the SDK hands to the model; a successful one answers with its text
 * and its changes, of which the model sees the text.
 *
 * Approvals are read from the messages: keep those on your server, or sign them, where a browser could forge one. A version
 * of the SDK that doesn't know approvals (5) gets none, so what needs one is refused. Tools that the registry is given
 * later are in the next call of this function.
 *
 * @example
 * const { gate } = await openGate({ root: 'project' });
 * const result = await generateText({ model, tools: aiSdkTools(gate), prompt: 'Fix the typo in README.md' });
 */
export function aiSdkTools(gate: Gate, { approval = 'sdk' }: AiSdkOptions = {}): ToolSet {
  const needsApproval = (tool: string) => (args: unknown) => approval === 'sdk' && isAsked(gate, tool, args);
  return Object.fromEntries(
    gate.definitions().map((tool) => [tool.name, asSdkTool(gate, tool, approval, needsApproval(tool.name))]),
  );
}

function asSdkTool(
  gate: Gate,
  { name, description, input }: OfferedTool,
  approval: 'sdk' | 'gate',
  needsApproval: (args: unknown) => false | Promise<boolean>,
): Tool<unknown, Done> {
  return {
    description,
    inputSchema: jsonSchema<unknown>(input),
    needsApproval: async (args) => needsApproval(args),
    execute: async (args, { toolCallId, messages, abortSignal }) => {
      const approver = approval === 'sdk' ? { approver: isApproved(messages, toolCallId) ? once : nobody } : {};
      const signal = abortSignal === undefined ? {} : { signal: abortSignal };
      const result = await gate.call({ id: toolCallId, tool: name, args }, { ...approver, ...signal });
      if (!result.ok) throw new ToolError(result.code, result.text);
      return result;
    },
    toModelOutput: ({ output }) => ({ type: 'text', value: output.text }),
  };
}

/** What can't be judged is not put to a person: its execution says what is wrong. */
async function isAsked(gate: Gate, tool: string, args: unknown): Promise<boolean> {
  try {
    return (await gate.judge({ tool, args })).verdict.decision === 'ask';
  } catch {
    return false;
  }
}

/** An approval of exactly this call: requested by its id, and the answer to that request. */
function isApproved(messages: readonly ModelMessage[], toolCallId: string): boolean {
  const requests = messages
    .flatMap((message) => (message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []))
    .flatMap((part) =>
      part.type === 'tool-approval-request' && part.toolCallId === toolCallId ? part.approvalId : [],
    );
  const answers = messages
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .flatMap((part) =>
      part.type === 'tool-approval-response' && requests.includes(part.approvalId) ? part.approved : [],
    );
  return answers.length > 0 && answers.every((approved) => approved);
}

const once: Approver = { present: true, ask: async () => ({ type: 'once' }) };
