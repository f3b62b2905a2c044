import packageJson from '../package.json' with { type: 'json' };
import {
  type McpClientOptions as ClientOptions,
  connectMcpServers as connect,
  type McpServers,
} from './extend/mcp-client.ts';
import type { McpServerConfig } from './extend/mcp-config.ts';
import { type McpHttp, serveMcpHttp as serveHttp } from './extend/mcp-http.ts';
import { mcpServerFactory } from './extend/mcp-server.ts';
import { type McpStdioOptions, serveMcpStdio as serveStdio } from './extend/mcp-stdio.ts';
import type { Gate } from './gate/gateway.ts';

export type { McpHttp, McpServerConfig, McpServers };

const { version } = packageJson;

export interface McpServeOptions {
  /** Every call of a client goes through it. Where the client can ask its user, *ask* becomes a form with the exact change. */
  readonly gate: Gate;
  /** What a client is told of the whole, e.g. which folder this is. */
  readonly instructions?: string;
}

export type McpStdio = McpServeOptions & Pick<McpStdioOptions, 'input' | 'output' | 'signal' | 'notice'>;

/**
 * Serves the tools of a gate over stdio; resolves when the client has closed its end or `signal` fires. Nothing else may be
 * written to `output`.
 *
 * @example
 * const { gate, close } = await openGate({ root: 'project', permission: { read_file: 'allow' } });
 * await serveMcpStdio({ gate });
 * await close();
 */
export function serveMcpStdio(options: McpStdio): Promise<void> {
  return serveStdio({ ...options, version });
}

export interface McpHttpOptions extends McpServeOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: the system chooses; `url` says which. */
  readonly port?: number;
  /** Every request must carry it: `Authorization: Bearer TOKEN`. */
  readonly token: string;
}

/**
 * Serves the tools of a gate over streamable HTTP at `/mcp`. A request without the token, or from a foreign Host or Origin, is
 * refused. Throws `ToolError` `failed` when the port can't be listened on.
 *
 * @example
 * const server = await serveMcpHttp({ gate, token: randomUUID() });
 * console.log(server.url);
 * await server.close();
 */
export function serveMcpHttp({ host = '127.0.0.1', port = 0, token, ...options }: McpHttpOptions): Promise<McpHttp> {
  return serveHttp({ factory: mcpServerFactory({ ...options, version }), host, port, token });
}

export type McpClientOptions = Omit<ClientOptions, 'version'>;

/**
 * Makes the tools of MCP servers ours: `mcp__server__tool`, asked by default, through the gate like any other once they are in its
 * registry. Servers start with the first `tools()`.
 *
 * @example
 * const servers = connectMcpServers({ servers: { docs: { command: 'docs-mcp' } }, root, env: process.env, notice: console.warn });
 * for (const tool of await servers.tools()) registry.add(tool);
 * await servers.close();
 */
export function connectMcpServers(options: McpClientOptions): McpServers {
  return connect({ ...options, version });
}
