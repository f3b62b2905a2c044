/**
 * MCP, both ways: `mcpServerFactory` serves a gate's tools to MCP clients, `connectMcpServers` makes the tools of MCP servers
 * ours.
 *
 * @example Serve a gate on streams of one's own
 * import { lineTransport, mcpServerFactory } from 'benchdog/mcp';
 * import { serveStdio } from '@modelcontextprotocol/server/stdio';
 *
 * const transport = lineTransport({ input: process.stdin, output: process.stdout });
 * serveStdio(mcpServerFactory({ gate, version: '1.0.0' }), { transport });
 *
 * @example Offer another server's tools
 * const servers = connectMcpServers({ servers: { docs: { command: 'docs-mcp' } }, root, env: process.env, version: '1.0.0', notice: console.error });
 * for (const tool of await servers.tools()) registry.add(tool);
 */
export { connectMcpServers, type McpClientOptions, type McpServers } from './extend/mcp-client.ts';
export type { McpServerConfig } from './extend/mcp-config.ts';
export { type McpHttp, type McpHttpOptions, serveMcpHttp } from './extend/mcp-http.ts';
export {
  type LineTransport,
  type LineTransportOptions,
  lineTransport,
  type OddLine,
  refuseOddLine,
} from './extend/mcp-lines.ts';
export { type McpServerOptions, mcpServerFactory } from './extend/mcp-server.ts';
