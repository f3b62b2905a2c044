// A client of ours for the conformance suite, which puts the server's address behind the command: it calls every tool once.
import { connectMcpServers } from '../../src/mcp.ts';
import { openGate } from '../../src/open-gate.ts';

const url = process.argv.at(-1)!;
const servers = connectMcpServers({
  servers: { suite: { url } },
  root: process.cwd(),
  env: process.env,
  notice: (text) => console.error(text),
});
const tools = await servers.tools();
const { gate, close } = await openGate({ permission: { 'mcp__*': 'allow' }, tools });
for (const { name } of tools) {
  const result = await gate.call({ id: name, tool: name, args: { a: 5, b: 3 } });
  console.log(name, result.ok, result.text);
}
await close();
await servers.close();
