import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { ToolError } from '../base/error.ts';

export interface McpHttpOptions {
  readonly factory: McpServerFactory;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Every request must carry it: `Authorization: Bearer TOKEN`. */
  readonly token: string;
}

export interface McpHttp {
  readonly url: string;
  close(): Promise<void>;
}

const anyAddress = new Set(['0.0.0.0', '::', '[::]']);
const loopback = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return loopback.has(host);
}

/** Serves MCP over streamable HTTP at `/mcp`. A request without the token, or from a foreign Host or Origin, is refused. */
export async function serveMcpHttp({ factory, host, port, token }: McpHttpOptions): Promise<McpHttp> {
  const names = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : [host];
  // Bound to every address, no list of names can be right; the token is what a foreign page can't have.
  const hostIsFine = anyAddress.has(host) ? () => true : hostHeaderValidation(names);
  const originIsFine = originValidation(names);
  const handler = createMcpHandler(factory);
  const serve = toNodeHandler(handler);
  const server = createServer((request, response) => {
    if (!hostIsFine(request, response) || !originIsFine(request, response)) return;
    if (!carries(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' });
      response.end(
        'A bearer token is required: it was given in BENCHDOG_MCP_TOKEN, or printed when the server started.\n',
      );
      return;
    }
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('MCP is served at /mcp.\n');
      return;
    }
    void serve(request as IncomingMessage & { method: string; url: string }, response);
  });
  const address = await listen(server, host, port);
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function carries(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function listen(server: HttpServer, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ToolError('failed', `Port ${port} of ${host} can't be listened on (${error.code ?? error.message}).`));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve(server.address() as AddressInfo));
  });
}
