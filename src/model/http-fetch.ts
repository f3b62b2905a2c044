import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { boundedBody, boundedError } from './bounded-body.ts';
import { ModelError } from './error.ts';
import { connectThroughProxy, proxyFor } from './proxy.ts';

/** Longest silence on a connection, in milliseconds, before it counts as dead. */
const silenceLimit = 300_000;

const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/**
 * As much of `fetch` as model providers use, over `node:http`: a POST with a text body, a streamed answer, abort.
 * The global `fetch` costs 35 to 40 ms at its first use, which is as long as Node itself takes to start. Honours
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY; extra certificates come from NODE_EXTRA_CA_CERTS, which Node reads itself.
 */
export function httpFetch(env: NodeJS.ProcessEnv): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const body = typeof init?.body === 'string' ? init.body : undefined;
    const response = await send(url, env, {
      method: init?.method ?? 'GET',
      headers: plainHeaders(init?.headers),
      signal: init?.signal ?? undefined,
      body,
    });
    return asResponse(response, url);
  };
}

interface Sending {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal | undefined;
  readonly body: string | undefined;
}

async function send(url: URL, env: NodeJS.ProcessEnv, sending: Sending): Promise<http.IncomingMessage> {
  const { method, body, signal } = sending;
  signal?.throwIfAborted();
  const headers = { 'accept-encoding': 'identity', ...sending.headers, ...lengthOf(body) };
  const options: https.RequestOptions = { method, headers, signal, timeout: silenceLimit };
  const request = await openRequest(url, proxyFor(url, env), options);
  return new Promise((resolve, reject) => {
    request.on('timeout', () => request.destroy(new Error(`no byte came for ${silenceLimit / 1000} s`)));
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

async function openRequest(
  url: URL,
  proxy: URL | undefined,
  options: https.RequestOptions,
): Promise<http.ClientRequest> {
  const secure = url.protocol === 'https:';
  if (proxy === undefined) {
    return secure
      ? https.request(url, { ...options, agent: agents['https:'] })
      : http.request(url, { ...options, agent: agents['http:'] });
  }
  const socket = await connectThroughProxy(proxy, url, options.signal);
  return secure
    ? https.request(url, { ...options, socket, agent: false } as https.RequestOptions)
    : http.request(url, { ...options, createConnection: () => socket, agent: false });
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined) return {};
  if (Symbol.iterator in headers) return Object.fromEntries([...(headers as Iterable<[string, string]>)]);
  return { ...(headers as Record<string, string>) };
}

/** Touching the global `Response` would load what this module saves; providers use only these members. */
function asResponse(message: http.IncomingMessage, url: URL): Response {
  const status = message.statusCode ?? 0;
  const headers = new Map(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  const ok = status >= 200 && status < 300;
  if (ok && message.headers['content-type']?.startsWith('text/html')) {
    message.destroy();
    throw new ModelError('rejected', `${url.origin}${url.pathname} answered with a web page. Is the base URL right?`);
  }
  const unfit = ok ? packed(message) : redirected(message, url);
  if (unfit !== undefined) {
    message.destroy();
    throw new ModelError('rejected', `${url.origin}${url.pathname} ${unfit}`);
  }
  const bytes = Readable.from(ok ? boundedBody(message) : boundedError(message), { objectMode: false });
  const body = Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
  const response = {
    ok,
    status,
    statusText: message.statusMessage ?? '',
    headers,
    body,
    arrayBuffer: async () => (await collect(body)).buffer,
    text: async () => new TextDecoder().decode(await collect(body)),
    json: async () => JSON.parse(new TextDecoder().decode(await collect(body))),
  };
  return response as unknown as Response;
}

function packed({ headers }: http.IncomingMessage): string | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === '' || encoding === 'identity') return undefined;
  return `answered compressed (${encoding}), though it was asked not to. Something in between does that.`;
}

/** Not followed: the key would go along. */
function redirected({ statusCode = 0, headers }: http.IncomingMessage, url: URL): string | undefined {
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return undefined;
  const there = URL.canParse(headers.location, url) ? new URL(headers.location, url) : undefined;
  const where = there === undefined ? 'elsewhere' : `to ${there.origin}${there.pathname}`;
  return `sends us on ${where}, which is not followed, since the key would go along. Give the right base URL.`;
}

async function collect(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
