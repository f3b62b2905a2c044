import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { type App, createApp, type Settings } from '../../src/app.ts';
import { runMcp } from '../../src/cli/mcp.ts';
import type { Io } from '../../src/cli/program.ts';
import { lineTransport } from '../../src/extend/mcp-lines.ts';
import { mcpServerFactory } from '../../src/extend/mcp-server.ts';
import { nobody } from '../../src/gate/approver.ts';
import { tempFolder } from '../support/folders.ts';

/** The revisions that a client may speak: the family that begins with `initialize`, and the one without sessions. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export type Reply = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, never> };

export interface ClientSide {
  readonly era?: Era;
  /** Answers the forms; without it the client has no elicitation. */
  readonly reply?: (message: string) => Reply | Promise<Reply>;
}

export function mcpClient({ era = '2025-11-25', reply }: ClientSide = {}): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: reply === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  );
  if (reply !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => reply(params.message));
  onTestFinished(() => client.close());
  return client;
}

export async function openApp(root: string, flags: Settings = {}): Promise<App> {
  const env = { ...process.env, BENCHDOG_HOME: tempFolder() };
  const app = await createApp({ flags: { root, ...flags }, env, approver: nobody, session: 'mcp-test' });
  onTestFinished(() => app.close());
  return app;
}

/** A client and a server of this process, joined by two streams that carry what pipes would. */
export async function joined(app: App, side: ClientSide = {}): Promise<Client> {
  const up = new PassThrough();
  const down = new PassThrough();
  const factory = mcpServerFactory({ gate: app.gate, version: '1.2.3', instructions: 'For tests.' });
  const server = serveStdio(factory, { transport: lineTransport({ input: up, output: down }) });
  onTestFinished(() => server.close());
  const client = mcpClient(side);
  await client.connect(lineTransport({ input: down, output: up }));
  return client;
}

/** `benchdog mcp` in this process, with streams instead of the process's own. */
export function command(flags: Readonly<Record<string, unknown>>, env: Record<string, string> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const io = {
    stdin,
    stdout,
    stderr,
    env: { ...process.env, BENCHDOG_HOME: tempFolder(), ...env },
    signal: stop.signal,
  } as unknown as Io;
  const code = runMcp(io, { root: tempFolder(), ...flags }).finally(() => {
    stdout.end();
    stderr.end();
  });
  onTestFinished(() => stop.abort());
  return { stdin, stdout, stderr, code, stop: () => stop.abort(), output: () => text(stdout) };
}

/** The text of a result. */
export function textOf(result: { readonly content: readonly unknown[] }): string {
  return result.content.map((item) => (item as { text?: string }).text ?? '').join('\n');
}
