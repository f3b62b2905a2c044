import { resolve } from 'node:path';
import {
  Client,
  type ClientOptions,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { clipLine } from '../base/text.ts';
import { visibleText } from '../base/visible.ts';
import { httpFetch } from '../model/http-fetch.ts';
import { proxyFor } from '../model/proxy.ts';
import { childEnvironment } from '../process/environment.ts';
import { startPeer } from '../process/peer.ts';
import { findProgram } from '../process/program.ts';
import type { McpServer } from './mcp-config.ts';
import { lineTransport, type OddLine } from './mcp-lines.ts';
import type { McpResult } from './mcp-result.ts';

export interface ConnectionOptions {
  readonly server: McpServer;
  /** Ours, told to the server. */
  readonly version: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long the server may take to be ready, in milliseconds. */
  readonly startMs: number;
  readonly signal?: AbortSignal;
  /** Something odd that the server did; half a sentence that its name precedes. */
  readonly notice: (text: string) => void;
  /** The server says that its tools have changed. */
  readonly onToolsChanged: () => void;
}

/** A tool as a server lists it. */
export interface RemoteTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

export interface CallSettings {
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life. */
  readonly timeoutMs: number;
  readonly onProgress: (text: string) => void;
}

/** A server that answers. */
export interface Connection {
  readonly closed: Promise<void>;
  list(): Promise<readonly RemoteTool[]>;
  call(tool: string, args: Record<string, unknown>, settings: CallSettings): Promise<McpResult>;
  /** How a program that was started ended, and its last words; empty while it runs. */
  lastWords(): string;
  close(): Promise<void>;
}

/** A wire to a server, before anything was said. */
interface Wire {
  readonly transport: Transport;
  lastWords(): string;
  end(): Promise<void>;
}

const modern = '2026-07-28';

/**
 * Reaches a server and shakes hands. A program is greeted as all revisions before 2026-07-28 want it, because some end at
 * any other first word; one that refuses that is started anew and spoken to in the newer way.
 */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  if (options.server.type === 'http') return greet(options, httpWire(options), 'auto');
  try {
    return await greet(options, await programWire(options), 'legacy');
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return greet(options, await programWire(options), { pin: modern });
  }
}

type Mode = NonNullable<NonNullable<ClientOptions['versionNegotiation']>['mode']>;

async function greet(options: ConnectionOptions, wire: Wire, mode: Mode): Promise<Connection> {
  const client = new Client({ name: 'benchdog', version: options.version }, { versionNegotiation: { mode } });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  client.setNotificationHandler('notifications/tools/list_changed', options.onToolsChanged);
  const close = async () => {
    await client.close().catch(() => {});
    await wire.end();
  };
  try {
    const { startMs: timeout, signal } = options;
    await client.connect(wire.transport, { timeout, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    await close();
    throw error instanceof ProtocolError
      ? error
      : new ToolError('failed', `${(error as Error).message}${wire.lastWords()}`);
  }
  return {
    closed,
    close,
    lastWords: wire.lastWords,
    list: () => listAll(client, options),
    call: (name, args, { signal, timeoutMs, onProgress }) =>
      client.request({ method: 'tools/call', params: { name, arguments: args } }, callResult, {
        signal,
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: ({ message }) => onProgress(message ?? ''),
      }),
  };
}

/** Read with an open mind: one odd tool or item must not cost the others. */
const callResult = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
const listResult = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const remoteTool = z.object({
  name: z.string().min(1),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
});

const maxPages = 50;
const maxTools = 500;

async function listAll(
  client: Client,
  { startMs: timeout, notice }: ConnectionOptions,
): Promise<readonly RemoteTool[]> {
  const tools = new Map<string, RemoteTool>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, listResult, { timeout });
    for (const entry of answer.tools) {
      const { data: tool } = remoteTool.safeParse(entry);
      if (tool === undefined) notice(`lists a tool without a name: ${clipLine(JSON.stringify(entry), 100)}`);
      else if (tools.size < maxTools) tools.set(tool.name, tools.get(tool.name) ?? tool);
      else return cut(tools, notice);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined || cursor === '') return [...tools.values()];
  }
  return cut(tools, notice);
}

function cut(tools: ReadonlyMap<string, RemoteTool>, notice: (text: string) => void): readonly RemoteTool[] {
  notice(`lists more tools than can be offered; the first ${tools.size} are`);
  return [...tools.values()];
}

function httpWire({ server, env }: ConnectionOptions): Wire {
  const { url, headers } = server as McpServer & { type: 'http' };
  const fetch = proxyFor(url, env) === undefined ? globalThis.fetch : throughProxy(env);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch });
  return { transport: transport as Transport, lastWords: () => '', end: async () => {} };
}

/** The answer as the platform's own, which is what the SDK expects. */
function throughProxy(env: NodeJS.ProcessEnv): typeof globalThis.fetch {
  const send = httpFetch(env);
  return async (input, init) => {
    const { status, statusText, headers, body } = await send(input, init);
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : body, { status, statusText, headers: [...headers] });
  };
}

const keptWords = 2000;
const shownWords = 400;

async function programWire({ server, root, env, notice }: ConnectionOptions): Promise<Wire> {
  const { command, args, env: own } = server as McpServer & { type: 'stdio' };
  const base = { ...childEnvironment(env), ...own };
  const file = /[\\/]/.test(command) ? resolve(root, command) : findProgram(command, base.PATH);
  if (file === undefined) throw new ToolError('failed', `could not be started: ${command} is not on the PATH`);
  const peer = await startPeer({ file, args, cwd: root, env: base });
  let words = '';
  let ending = '';
  peer.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-keptWords);
  });
  void peer.exited.then((how) => {
    ending = how;
  });
  let told = false;
  const onOddLine = (line: OddLine) => {
    if (!told) notice(`printed something that is no message, which was skipped: ${describeOdd(line)}`);
    told = true;
  };
  return {
    transport: lineTransport({ input: peer.stdout, output: peer.stdin, onOddLine }),
    lastWords: () => {
      const said = visibleText(words.trim().slice(-shownWords));
      return `${ending === '' ? '' : ` (${ending})`}${said === '' ? '' : `. It said: ${said}`}`;
    },
    end: peer.end,
  };
}

function describeOdd(line: OddLine): string {
  if (line.type === 'oversized') return 'a line that is too long';
  return JSON.stringify(clipLine(line.type === 'text' ? line.text : JSON.stringify(line.value), 100));
}
