import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { lineTransport, refuseOddLine } from './mcp-lines.ts';
import { type McpServerOptions, mcpServerFactory } from './mcp-server.ts';

export interface McpStdioOptions extends McpServerOptions {
  /** Default: this process's own. */
  readonly input?: Readable;
  /** Where protocol lines go. Nothing else may be written there. Default: this process's own. */
  readonly output?: Writable;
  /** Stops serving. */
  readonly signal?: AbortSignal;
  /** What went wrong between the lines; one sentence each. */
  readonly notice?: (text: string) => void;
}

/** How long calls may still be answered after the client has closed its end, in milliseconds. */
const graceMs = 3000;

/** Serves a gate's tools over stdio until the client closes its end or `signal` fires. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal, notice } = options;
  const transport = lineTransport({
    input,
    output,
    graceMs,
    onOddLine: (line) => void output.write(`${JSON.stringify(refuseOddLine(line))}\n`),
  });
  const handle = serveStdio(mcpServerFactory(options), {
    transport,
    onerror: (error) => notice?.(error.message),
  });
  const stopped = new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([transport.ended, stopped]);
  await handle.close();
}
