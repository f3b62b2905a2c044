import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { serveMcpHttp } from '../../src/mcp.ts';
import { openGate } from '../../src/open-gate.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { tempFolder } from '../support/folders.ts';

/** The protocol's own conformance suite, against a server and a client of ours: the scenarios on what we offer. */
const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);

const ofServers = ['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'];
const ofClients = ['initialize', 'tools_call'];

test.each([...ofServers, 'dns-rebinding-protection'])('a server passes %s', async (scenario) => {
  const url = await behindProxy(await serveSuiteTools());
  expect(await conformance('server', '--url', url, '--scenario', scenario)).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});

test.each(ofClients)('a client passes %s', async (scenario) => {
  const client = join(import.meta.dirname, '../support/conformance-client.ts');
  const command = `${process.execPath} --import tsx ${client}`;
  expect(await conformance('client', '--command', command, '--scenario', scenario)).toMatch(
    /Passed: [1-9]\d*\/\d+, 0 failed/,
  );
});

/** What the suite prints, whatever its exit code. */
async function conformance(...args: string[]): Promise<string> {
  const options = { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' as const };
  const { stdout, stderr } = await run(process.execPath, [suite, ...args], options).catch((error) => error);
  return `${stdout}${stderr}`;
}

/** The tools by which the suite knows a server, through a gate. */
async function serveSuiteTools(): Promise<URL> {
  const texts = { test_simple_text: 'This is a simple text response for testing.', test_error_handling: undefined };
  const tools = Object.entries(texts).map(([name, text]) =>
    defineTool({
      name,
      description: 'For the conformance suite.',
      readOnly: true,
      input: z.strictObject({}),
      prepare: () => ({
        subject: name,
        effects: [],
        plan: async () => {
          if (text === undefined) throw new Error('This tool intentionally returns an error for testing');
          return { type: 'answer', text };
        },
      }),
    }),
  );
  const permission = { test_simple_text: 'allow', test_error_handling: 'allow' } as const;
  const { gate, close } = await openGate({ root: tempFolder(), home: tempFolder(), permission, tools });
  const server = await serveMcpHttp({ gate, token: 'suite' });
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  return new URL(server.url);
}

/** The suite can send no token: this adds it, and leaves everything else as it came. */
async function behindProxy({ port, pathname }: URL): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const host = incoming.headers.host?.replace(/^(localhost|127\.0\.0\.1):\d+$/, `$1:${port}`);
    const headers = { ...incoming.headers, host, authorization: 'Bearer suite' };
    const outgoing = request({ port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`;
}
