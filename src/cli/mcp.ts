import { randomBytes, randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import packageJson from '../../package.json' with { type: 'json' };
import type { App } from '../app.ts';
import { mcpServerFactory } from '../extend/mcp-server.ts';
import { nobody } from '../gate/approver.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { takeStdout } from './take-stdout.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

const { version } = packageJson;

/** `benchdog mcp [--http [HOST:]PORT]`. On stdio, stdout carries protocol lines and nothing else. */
export async function runMcp(io: Io, flags: Flags & { readonly http?: string }): Promise<number> {
  const address = flags.http === undefined ? undefined : parseAddress(flags.http);
  const stdout = takeStdout(io);
  return withApp(io, { flags, session: `mcp-${randomUUID()}`, approver: nobody }, async (app) => {
    if (address === undefined) await serveStdio(io, stdout, app);
    else await serveHttpUntilStopped(io, app, address);
    return io.signal.aborted && address === undefined ? exitCodes.interrupted : exitCodes.done;
  });
}

function instructionsOf({ dialect, workspace }: App): string {
  return `Tools of benchdog's ${dialect.name} dialect on ${workspace.root.spelled}. Changes are atomic, journaled and can be undone.`;
}

async function serveStdio(io: Io, output: Writable, app: App): Promise<void> {
  const { serveMcpStdio } = await import('../extend/mcp-stdio.ts');
  const notice = (text: string) => void io.stderr.write(`benchdog mcp: ${text}\n`);
  const { gate } = app;
  await serveMcpStdio({
    gate,
    version,
    instructions: instructionsOf(app),
    input: io.stdin,
    output,
    signal: io.signal,
    notice,
  });
}

async function serveHttpUntilStopped(io: Io, app: App, address: Address): Promise<void> {
  const { isLoopback, serveMcpHttp } = await import('../extend/mcp-http.ts');
  const given = io.env.BENCHDOG_MCP_TOKEN?.trim() || undefined;
  if (given === undefined && !isLoopback(address.host)) {
    throw new UsageError(
      `serving ${address.host} to other machines needs a token you chose: set BENCHDOG_MCP_TOKEN, or use 127.0.0.1.`,
    );
  }
  const token = given ?? randomBytes(24).toString('base64url');
  const factory = mcpServerFactory({ gate: app.gate, version, instructions: instructionsOf(app) });
  const server = await serveMcpHttp({ factory, ...address, token });
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
