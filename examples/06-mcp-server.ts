// The same gate for an MCP client, over HTTP with a token.
import { randomUUID } from 'node:crypto';
import { openGate } from 'benchdog';
import { connectMcpServers, serveMcpHttp } from 'benchdog/mcp';

const root = process.argv[2] ?? '.';
const { gate, close } = await openGate({ root });
const token = randomUUID();
const server = await serveMcpHttp({ gate, token });

// A second gate uses the first one's tools, as it would any server's.
const headers = { Authorization: `Bearer ${token}` };
const servers = connectMcpServers({
  servers: { hands: { url: server.url, headers } },
  root,
  env: {},
  notice: console.warn,
});
const other = await openGate({ root, tools: await servers.tools(), permission: { mcp__hands__read_file: 'allow' } });
console.log((await other.gate.call({ id: '1', tool: 'mcp__hands__read_file', args: { path: 'README.md' } })).text);

await Promise.all([other.close(), servers.close()]);
await server.close();
await close();
