import * as z from 'zod';
import { asToolError, ToolError } from '../base/error.ts';
import { joinSignals } from '../base/join-signals.ts';
import { type JsonSchema, parseArguments } from '../base/schema.ts';
import { clipLine } from '../base/text.ts';
import { plainOf } from '../process/text-stream.ts';
import type { ActionOutcome, Tool, ToolContext } from '../tool/tool.ts';
import { type McpServerConfig, readMcpServer } from './mcp-config.ts';
import { type Connection, connect, type RemoteTool } from './mcp-connection.ts';
import { nameServers, nameTools } from './mcp-names.ts';
import { describeResult } from './mcp-result.ts';

export interface McpClientOptions {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** The workspace folder; programs are started in it. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ours, told to the servers. */
  readonly version: string;
  readonly signal?: AbortSignal;
  /** What a person should know: a server that failed, is slow or talks nonsense. One line each. */
  readonly notice: (text: string) => void;
  /** There are other tools than `tools` last told: a slow server is ready, or one lists others now. */
  readonly onChange?: () => void;
  /** Milliseconds a server may take to start. Default 30,000. */
  readonly startMs?: number;
  /** Milliseconds that `tools` waits for servers that are still starting. Default 5,000. */
  readonly waitMs?: number;
  /** Milliseconds a call may take without a sign of life. Default 300,000. */
  readonly callMs?: number;
}

export interface McpServers {
  /**
   * The tools of all servers that are ready; the first call starts them. A server that is slow is told of and comes
   * in with a later call, one that fails is told of and left out. Never rejects.
   */
  tools(): Promise<readonly Tool[]>;
  /** Ends all servers and what they started. */
  close(): Promise<void>;
}

/** Makes the tools of MCP servers ours: `mcp__server__tool`, asked by default, through the gate like any other. */
export function connectMcpServers(options: McpClientOptions): McpServers {
  const names = nameServers(Object.keys(options.servers));
  const stop = new AbortController();
  const { signal, release } = joinSignals([options.signal, stop.signal]);
  const servers = Object.entries(options.servers).map(([name, config]) =>
    followServer({ ...options, signal, name, config, prefix: names.get(name)! }),
  );
  return {
    tools: async () => (await Promise.all(servers.map((server) => server.tools()))).flat(),
    close: async () => {
      stop.abort();
      release();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

interface Followed extends McpClientOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly prefix: string;
}

/** One server through its life: started when needed, started again for a call after it died. */
function followServer(options: Followed): McpServers {
  const say = (text: string) => options.notice(`MCP server "${options.name}" ${text.replace(/\.$/, '')}.`);
  let opening: Promise<Connection> | undefined;
  let listing: Promise<readonly Tool[]> | undefined;
  let saidSlow = false;

  const connection = (): Promise<Connection> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const open = async () => {
    const { root, env, version, config, startMs = 30_000, signal } = options;
    const opened = await connect({
      server: readMcpServer(config, env),
      root,
      env,
      version,
      startMs,
      notice: say,
      onToolsChanged: () => {
        listing = undefined;
        options.onChange?.();
      },
      ...(signal === undefined ? {} : { signal }),
    });
    void opened.closed.then(() => {
      opening = undefined;
      void opened.close();
    });
    return opened;
  };
  const list = async (): Promise<readonly Tool[]> => {
    try {
      const remote = await (await connection()).list();
      const named = nameTools(
        options.prefix,
        remote.map((tool) => tool.name),
      );
      return remote.map((tool) => asTool(named.get(tool.name)!, tool, options, connection));
    } catch (error) {
      if (options.signal?.aborted !== true) say(`is left out: ${(error as Error).message}`);
      return [];
    }
  };
  return {
    async tools() {
      listing ??= list();
      const ready = await within(listing, options.waitMs ?? 5000);
      if (ready !== undefined) return ready;
      if (!saidSlow) {
        saidSlow = true;
        say('is still starting; its tools are offered when it is ready');
        void listing.then((late) => late.length > 0 && options.onChange?.());
      }
      return [];
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

const maxDescription = 2000;
const anyArguments = z.looseObject({});

function asTool(name: string, remote: RemoteTool, options: Followed, connection: () => Promise<Connection>): Tool {
  return {
    name,
    description: clipLine(plainOf(remote.description ?? ''), maxDescription),
    input: schemaOf(remote.inputSchema),
    // A server may call its tool harmless; that is its word, not ours.
    readOnly: false,
    prepare: async (raw, context) => {
      const args = parseArguments(name, anyArguments, raw);
      const json = JSON.stringify(args);
      return {
        effects: [{ kind: 'execute', tool: name, arguments: args }],
        subject: clipLine(json, 200),
        plan: async () => ({
          type: 'action',
          preview: `${remote.name} of MCP server "${options.name}"\n${JSON.stringify(args, null, 2)}`,
          run: () => callRemote(remote.name, args, options, connection, context),
        }),
      };
    },
  };
}

/** Providers refuse a whole request over one schema that is no object. */
function schemaOf(schema: unknown): JsonSchema {
  const given = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as JsonSchema) : {};
  const { $schema: _, ...rest } = given;
  return { ...rest, type: 'object', properties: rest.properties ?? {} };
}

async function callRemote(
  tool: string,
  args: Record<string, unknown>,
  { name, callMs: timeoutMs = 300_000 }: Followed,
  connection: () => Promise<Connection>,
  { signal, emit }: ToolContext,
): Promise<ActionOutcome> {
  const server = await connection().catch((error: unknown) => {
    throw new ToolError(
      'failed',
      `MCP server "${name}" can't be reached: ${(error as Error).message}. Nothing was done.`,
    );
  });
  try {
    const onProgress = (text: string) => emit({ type: 'status', text });
    return describeResult(await server.call(tool, args, { signal, timeoutMs, onProgress }));
  } catch (error) {
    if (signal.aborted) throw new ToolError('interrupted', `The call was cancelled. What ${tool} did is unknown.`);
    throw explain(name, tool, error, server);
  }
}

function explain(name: string, tool: string, error: unknown, server: Connection): ToolError {
  const code = (error as { readonly code?: unknown }).code;
  if (code === 'REQUEST_TIMEOUT') {
    return new ToolError('timeout', `${tool} of MCP server "${name}" did not answer in time. What it did is unknown.`);
  }
  if (code === 'CONNECTION_CLOSED' || code === 'SEND_FAILED') {
    const said = server.lastWords();
    return new ToolError('failed', `MCP server "${name}" ended during the call${said}. What ${tool} did is unknown.`);
  }
  return new ToolError('failed', `MCP server "${name}" answered with an error: ${plainOf(asToolError(error).message)}`);
}
