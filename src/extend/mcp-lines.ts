import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The most bytes of one message; a longer line is passed over. */
  readonly maxBytes?: number;
  /** Told of a line that is no message. Default: it is dropped. */
  readonly onOddLine?: (line: OddLine) => void;
  /** How long requests in flight may still be answered after the input has ended, in milliseconds. Default 0. */
  readonly graceMs?: number;
}

/** What stood on a line that could not be read as a message. */
export type OddLine =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'oversized' };

export interface LineTransport extends Transport {
  /** Resolves when the connection is over, from whichever side. */
  readonly ended: Promise<void>;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * JSON-RPC, one message a line, over two streams. A line that is no message (a banner, a log line, something torn) never
 * ends the connection, and no line makes it hold more than `maxBytes`.
 */
export function lineTransport(options: LineTransportOptions): LineTransport {
  const { input, output, graceMs = 0 } = options;
  const open = new Set<string | number>();
  let settled: () => void = () => {};
  let over: () => void = () => {};
  let closed = false;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });

  const receive = (line: Buffer | undefined) => {
    const odd = read(line, (message) => {
      note(open, message);
      transport.onmessage?.(message);
    });
    if (odd !== undefined) options.onOddLine?.(odd);
  };
  const push = splitLines(options.maxBytes ?? defaultMaxBytes, receive);
  const fail = (error: Error) => {
    transport.onerror?.(error);
    void transport.close();
  };
  const finish = () => {
    if (closed || open.size === 0 || graceMs === 0) return void transport.close();
    const timer = setTimeout(() => void transport.close(), graceMs);
    settled = () => {
      if (open.size > 0) return;
      clearTimeout(timer);
      void transport.close();
    };
  };

  const transport: LineTransport = {
    ended,
    start: async () => {
      input.on('data', push).on('end', finish).on('close', finish).on('error', fail);
      output.on('error', fail);
      if (input.readableEnded || input.destroyed) setImmediate(finish);
    },
    send: async (message) => {
      if (closed) throw new Error('The connection is closed.');
      await write(output, `${JSON.stringify(message)}\n`);
      if ('id' in message && !('method' in message) && message.id != null) open.delete(message.id);
      settled();
    },
    close: async () => {
      if (closed) return;
      closed = true;
      input.off('data', push).off('end', finish).off('close', finish);
      input.pause();
      transport.onclose?.();
      over();
    },
  };
  return transport;
}

/** What a server answers to a line that is no message, so that whoever sent it does not wait for ever. */
export function refuseOddLine(line: OddLine): object {
  const [code, message] = refusals[line.type];
  const id = line.type === 'json' ? idOf(line.value) : null;
  return { jsonrpc: '2.0', id, error: { code, message } };
}

const refusals: Record<OddLine['type'], readonly [number, string]> = {
  text: [-32700, 'Parse error: the line is not JSON. Send one JSON-RPC message a line.'],
  json: [-32600, 'Invalid request: the line is JSON, but no JSON-RPC 2.0 message.'],
  oversized: [-32600, 'Invalid request: the message is too large and was passed over.'],
};

function idOf(value: unknown): string | number | null {
  const id = (value as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function read(line: Buffer | undefined, take: (message: JSONRPCMessage) => void): OddLine | undefined {
  if (line === undefined) return { type: 'oversized' };
  const text = line.toString('utf8');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: 'text', text };
  }
  if (!isMessage(value)) return { type: 'json', value };
  take(value);
  return undefined;
}

/** JSON-RPC 2.0: a request, a notification, a result or an error. What is in them the SDK checks. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  const { id, method, params, result, error } = value;
  const named = typeof id === 'string' || Number.isSafeInteger(id);
  if (method !== undefined) {
    return typeof method === 'string' && (id === undefined || named) && (params === undefined || isObject(params));
  }
  if (error === undefined) return named && isObject(result);
  return (
    (named || id == null) && isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keeps account of the requests that wait for an answer. */
function note(open: Set<string | number>, message: JSONRPCMessage): void {
  if (!('method' in message)) return;
  if ('id' in message) open.add(message.id);
  const cancelled = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
  if (typeof cancelled === 'string' || typeof cancelled === 'number') open.delete(cancelled);
}

/** Hands on whole lines; `undefined` for one that is too long, whose rest is dropped as it comes. */
function splitLines(maxBytes: number, take: (line: Buffer | undefined) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  const add = (part: Buffer) => {
    held += part.length;
    if (held > maxBytes) parts = [];
    else parts.push(part);
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      const line = held > maxBytes ? undefined : Buffer.concat(parts);
      parts = [];
      held = 0;
      from = end + 1;
      take(line);
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}

function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error == null ? resolve() : reject(error)));
  });
}
