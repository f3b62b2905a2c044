import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ToolError } from '../base/error.ts';
import type { ApprovalRequest, Approver } from '../gate/approver.ts';
import { nobody } from '../gate/approver.ts';
import type { Gate, OfferedTool, ToolResult } from '../gate/gateway.ts';

export interface McpServerOptions {
  readonly gate: Gate;
  readonly version: string;
  /** What a client is told of the whole, e.g. the workspace and the approval mode. */
  readonly instructions?: string;
}

/**
 * Makes one MCP server instance over a gate; a transport asks for one per connection or request. Where the client can
 * ask its user (elicitation), *ask* becomes a form with the exact change; elsewhere it is a denial that says so.
 */
export function createMcpServer({ gate, version, instructions }: McpServerOptions): Server {
  const server = new Server(
    { name: 'benchdog', version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: gate.definitions().map(describe) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const person = askThrough(server, context, `${params.name} ${JSON.stringify(params.arguments ?? {})}`);
    const result = await gate.call(
      { id: randomUUID(), tool: params.name, args: params.arguments ?? {} },
      { signal: context.mcpReq.signal, approver: person.approver },
    );
    return person.question() ?? answer(result);
  });
  return server;
}

function describe(tool: OfferedTool) {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input as { type: 'object' },
    annotations: { readOnlyHint: tool.readOnly, destructiveHint: !tool.readOnly, openWorldHint: tool.name === 'bash' },
  };
}

function answer(result: ToolResult): CallToolResult {
  const content = [{ type: 'text' as const, text: result.text }];
  if (!result.ok) return { content, isError: true, structuredContent: { ok: false, code: result.code } };
  return { content, structuredContent: { ok: true, changes: result.changes.map((change) => ({ ...change })) } };
}

interface Person {
  readonly approver: Approver;
  /** The form to send, when the call stopped at a question. */
  question(): InputRequiredResult | undefined;
}

const formKey = 'approval';
const secret = randomBytes(32);

/**
 * A question and its answer are two requests. The first ends with a form and a seal over the call and the preview; the
 * second brings both back, and the answer counts only when what would happen now is what was shown.
 */
function askThrough(server: Server, context: ServerContext, call: string): Person {
  if (!canElicit(server, context)) return { approver: nobody, question: () => undefined };
  let open: ApprovalRequest | undefined;
  const response = inputResponse(context.mcpReq.inputResponses, formKey);
  const shown = context.mcpReq.requestState<string>();
  return {
    approver: {
      present: true,
      ask: async (request) => {
        const answered = response.kind === 'elicit' && same(shown, seal(call, request));
        if (answered && response.action === 'accept') return { type: 'once' };
        if (answered) return { type: 'no' };
        open = request;
        throw new ToolError('denied', `${request.tool} waits for approval.`);
      },
    },
    question: () => (open === undefined ? undefined : form(call, open)),
  };
}

function form(call: string, request: ApprovalRequest): InputRequiredResult {
  const message = `${request.tool} wants to ${request.changes === undefined ? 'run' : 'change files'}. Accept to let it, decline to refuse.\n\n${request.preview}`;
  return inputRequired({
    inputRequests: {
      [formKey]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
    requestState: seal(call, request),
  });
}

function seal(call: string, { preview, verdict }: ApprovalRequest): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([call, preview, verdict.decision]))
    .digest('hex');
}

function same(a: string | undefined, b: string): boolean {
  return a !== undefined && a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function canElicit(server: Server, context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as Record<string, { elicitation?: unknown } | undefined> | undefined;
  const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities();
  return declared?.elicitation !== undefined;
}
