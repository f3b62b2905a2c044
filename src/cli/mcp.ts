import { randomBytes, randomUUID } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { App } from '../app.ts';
import { createMcpServer } from '../extend/mcp-server.ts';
import { nobody } from '../gate/approver.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

/** `benchdog mcp [--http [HOST:]PORT]`. On stdio, stdout carries protocol lines and nothing else. */
export async function runMcp(io: Io, flags: Flags & { readonly http?: string }): Promise<number> {
  const address = flags.http === undefined ? undefined : parseAddress(flags.http);
  console.log = console.info = console.debug = (...words: unknown[]) => console.error(...words);
  return withApp(io, { flags, session: `mcp-${randomUUID()}`, approver: nobody }, async (app) => {
    if (address === undefined) await serveStdioUntilClosed(io, app);
    else await serveHttpUntilStopped(io, app, address);
    return io.signal.aborted && address === undefined ? exitCodes.interrupted : exitCodes.done;
  });
}

function factoryOf(app: App) {
  const instructions = `Tools of benchdog's ${app.dialect.name} dialect on ${app.workspace.root.spelled}. Changes are atomic, journaled and can be undone.`;
  return () => createMcpServer({ gate: app.gate, version: packageJson.version, instructions });
}

async function serveStdioUntilClosed(io: Io, app: App): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const closed = new Promise<void>((resolve) => {
    io.stdin.once('end', resolve);
    io.stdin.once('close', resolve);
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(factoryOf(app), {
    onerror: (error) => io.stderr.write(`benchdog mcp: ${error.message}\n`),
  });
  await closed;
  await handle.close();
}

async function serveHttpUntilStopped(io: Io, app: App, address: Address): Promise<void> {
  const { isLoopback, serveMcpHttp } = await import('../extend/mcp-http.ts');
  const given = io.env.BENCHDOG_MCP_TOKEN;
  if (given === undefined && !isLoopback(address.host)) {
    throw new UsageError(
      `serving ${address.host} to other machines needs a token you chose: set BENCHDOG_MCP_TOKEN, or use 127.0.0.1.`,
    );
  }
  const token = given ?? randomBytes(24).toString('base64url');
  const server = await serveMcpHttp({ factory: factoryOf(app), ...address, token });
  io.stderr.write(`benchdog mcp: ${server.url}\n${given === undefined ? `Bearer token: ${token}\n` : ''}`);
  await new Promise<void>((resolve) => io.signal.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function parseAddress(text: string): Address {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65535) throw new UsageError(`--http takes [HOST:]PORT, got "${text}".`);
  return { host, port: Number(port) };
}
