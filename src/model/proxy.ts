import * as http from 'node:http';
import type { Socket } from 'node:net';

/** The proxy that the environment names for `url`, or undefined. Both spellings of the variables count, lower case first. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const named = variable(env, scheme) ?? variable(env, 'all_proxy');
  if (named === undefined || isExempt(url, variable(env, 'no_proxy'))) return undefined;
  return new URL(named.includes('://') ? named : `http://${named}`);
}

/** A connection to `target` through the proxy's CONNECT. */
export function connectThroughProxy(proxy: URL, target: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const authority = `${target.hostname}:${port}`;
  const request = http.request({
    host: proxy.hostname,
    port: proxy.port || 80,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentials(proxy) },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} to CONNECT ${authority}`));
    });
    request.on('error', reject);
    request.end();
  });
}

function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined;
}

/** NO_PROXY: a comma list of hosts, domains (with or without a leading dot), `host:port`, or `*`. */
function isExempt(url: URL, list: string | undefined): boolean {
  const entries = (list ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => {
    if (entry === '*') return true;
    const domain = entry.toLowerCase().replace(/^\*?\./, '');
    return domain === url.host || domain === url.hostname || url.hostname.endsWith(`.${domain}`);
  });
}

function credentials(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
