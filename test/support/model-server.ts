import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Wire, wires } from './model-wires.ts';

/** What the server answers to one request. */
export interface ServerReply {
  readonly text?: string;
  readonly reasoning?: string;
  /** Arguments are a value, or raw text to send something that is no JSON. */
  readonly calls?: readonly { readonly id?: string; readonly tool: string; readonly arguments?: unknown }[];
  readonly finish?: 'length' | 'content_filter';
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** Answer with this status and body instead. */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Close the connection: before the first byte, or in the middle of the stream. */
  readonly cut?: 'before' | 'middle';
  /** Send an error event in the middle of the stream. */
  readonly errorEvent?: { readonly type: string; readonly message: string; readonly code?: string };
  /** End the stream without its closing event. */
  readonly noEnd?: boolean;
  /** After the status line, `x` without end, and without a line break. */
  readonly endless?: boolean;
  /** Milliseconds of silence in the middle. */
  readonly pause?: number;
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of three protocols
  readonly body: any;
}

export interface ModelServer {
  /** e.g. `http://127.0.0.1:1234/v1` */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/**
 * A model on a real HTTP port with fixed replies, in order. The path chooses the protocol: `/chat/completions`,
 * `/responses` (OpenAI) or `/messages` (Anthropic). All answers are streamed as server-sent events.
 */
export async function startModelServer(
  replies: readonly ServerReply[] | ((request: SeenRequest, index: number) => ServerReply),
): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const seen = await readRequest(request);
    const index = requests.push(seen) - 1;
    const reply = typeof replies === 'function' ? replies(seen, index) : replies[index];
    await answer(seen, reply ?? { text: 'The script has no further reply.' }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { path: request.url ?? '', headers: request.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

async function answer(seen: SeenRequest, reply: ServerReply, response: ServerResponse): Promise<void> {
  if (seen.path.endsWith('/models')) return void response.end('{"data":[{"id":"test"},{"id":"other"}]}');
  const wire = wires.find(({ path }) => seen.path.endsWith(path));
  if (wire === undefined) return void response.writeHead(404).end('{"error":{"message":"no such path"}}');
  if (reply.cut === 'before') return void response.socket?.destroy();
  if (reply.endless) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream' });
    return flood(response);
  }
  if (reply.status !== undefined) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    return void response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  }
  await stream(wire, reply, response);
}

function flood(response: ServerResponse): void {
  const some = Buffer.alloc(1 << 20, 'x');
  const more = () => {
    while (!response.destroyed) if (!response.write(some)) return void response.once('drain', more);
  };
  more();
}

async function stream(wire: Wire, reply: ServerReply, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = wire.events(reply);
  const middle = Math.ceil(events.length / 2);
  for (const [index, event] of events.entries()) {
    if (index === middle && reply.cut === 'middle') return void response.socket?.destroy();
    if (index === middle && reply.errorEvent) return void response.end(wire.frame(wire.error(reply.errorEvent)));
    if (index === middle && reply.pause) await new Promise((resolve) => setTimeout(resolve, reply.pause));
    if (reply.noEnd && index >= events.length - wire.ending) break;
    response.write(wire.frame(event));
  }
  response.end(wire.done ?? '');
}
