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
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** A whole file may be on its way. */
const maxBodyBytes = 64 * 1024 * 1024;

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Serves MCP over streamable HTTP at `/mcp`. A request without the token, or from a foreign Host or Origin, is refused. */
export async function serveMcpHttp({ factory, host, port, token }: McpHttpOptions): Promise<McpHttp> {
  const names = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]', bracketed(host)] : [bracketed(host)];
  // Bound to every address, no list of names can be right; the token is what a foreign page can't have.
  const hostIsFine = anyAddress.has(host) ? () => true : hostHeaderValidation(names);
  const originIsFine = originValidation(names);
  const handler = createMcpHandler(factory, { maxRequestBodySize: maxBodyBytes });
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
    if ((request.url ?? '').split('?')[0] !== '/mcp') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('MCP is served at /mcp.\n');
      return;
    }
    serve(request as IncomingMessage & { method: string; url: string }, response).catch(() => response.destroy());
  });
  const address = await listen(server, host, port);
  return {
    url: `http://${bracketed(address.address)}:${address.port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        void handler.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An IPv6 address as it stands in a URL. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Compares digests, so that the time taken tells nothing of the token. */
function carries(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined) return false;
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
