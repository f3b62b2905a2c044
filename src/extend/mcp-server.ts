import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Gate, OfferedTool, ToolResult } from '../gate/gateway.ts';
import { reportProgress } from './mcp-progress.ts';
import { askThrough, createQuestions, noPerson, type Questions } from './mcp-question.ts';

export interface McpServerOptions {
  readonly gate: Gate;
  readonly version: string;
  /** What a client is told of the whole, e.g. the workspace. */
  readonly instructions?: string;
}

/** Tools that belong to an agent's turn; a client has its own. */
const turnTools: ReadonlySet<string> = new Set(['task', 'ask', 'todo_write', 'skill']);

/**
 * Makes MCP servers over one gate; a transport asks for one per connection or request. Where the client can ask its user
 * (elicitation), *ask* becomes a form with the exact change; elsewhere it is a denial that says so.
 */
export function mcpServerFactory(options: McpServerOptions): McpServerFactory {
  const questions = createQuestions();
  return () => createMcpServer(options, questions);
}

function createMcpServer({ gate, version, instructions }: McpServerOptions, questions: Questions): Server {
  const server = new Server(
    { name: 'benchdog', version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: served(gate).map(describe) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) => {
    refuseUnknown(gate, name);
    const person = canElicit(server, context) ? askThrough(questions, context, JSON.stringify([name, args])) : noPerson;
    const result = await gate.call(
      { id: randomUUID(), tool: name, args },
      { signal: context.mcpReq.signal, approver: person.approver, emit: reportProgress(context) },
    );
    return person.question() ?? answer(result);
  });
  return server;
}

function served(gate: Gate): readonly OfferedTool[] {
  return gate.definitions().filter(({ name }) => !turnTools.has(name));
}

function refuseUnknown(gate: Gate, name: string): void {
  const names = served(gate).map((tool) => tool.name);
  if (names.includes(name)) return;
  const message = `There is no tool named "${name}". The tools are: ${names.join(', ')}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Tools that change nothing but our own notes. */
const noteTools: ReadonlySet<string> = new Set(['remember', 'forget']);

function describe({ name, description, input, readOnly }: OfferedTool) {
  const changes = !readOnly || noteTools.has(name);
  return {
    name,
    description,
    inputSchema: { ...input, type: 'object' as const },
    annotations: {
      readOnlyHint: !changes,
      destructiveHint: changes && name !== 'remember',
      openWorldHint: name === 'bash',
    },
  };
}

/**
 * The text is the result. Where there is more to tell than text (changed files, an error's code) the same object as
 * `benchdog call --json` prints goes with it; a plain answer has none, because clients that prefer the object would
 * show the model escaped text.
 */
function answer(result: ToolResult): CallToolResult {
  const content = [{ type: 'text' as const, text: result.text }];
  if (result.ok && result.changes.length === 0) return { content };
  return { content, structuredContent: { ...result }, ...(result.ok ? {} : { isError: true }) };
}

/** 2026-07-28 names the client's capabilities with every request, earlier revisions once per connection. */
function canElicit(server: Server, context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as
    | Record<string, { elicitation?: { form?: unknown; url?: unknown } }>
    | undefined;
  const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities();
  const modes = declared?.elicitation;
  // An empty object means forms; one that names only `url` does not.
  return modes !== undefined && (modes.form !== undefined || modes.url === undefined);
}
