import { createConnection } from 'node:net';
import type { RE2JS } from 're2js';
import { ToolError } from '../base/error.ts';
import { compileLinear } from '../base/linear-regex.ts';
import type { Job } from './job.ts';

/** What `read` waits for; it also ends with the job and with the time. */
export interface Wait {
  readonly ms: number;
  /** RE2 syntax, tested on each unread line. */
  readonly pattern?: string;
  /** A TCP port of this machine that takes connections. */
  readonly port?: number;
}

const portEveryMs = 100;

/** True when what was waited for came; false when the job or the time ended first. */
export function waitFor(job: Job, wait: Wait, signal?: AbortSignal): Promise<boolean> {
  const matches = wait.pattern === undefined ? undefined : lineMatcher(wait.pattern);
  return new Promise((resolve) => {
    let probing: NodeJS.Timeout | undefined;
    const finish = (met: boolean) => {
      job.listeners.delete(look);
      clearTimeout(limit);
      clearInterval(probing);
      signal?.removeEventListener('abort', stop);
      resolve(met);
    };
    const stop = () => finish(false);
    const limit = setTimeout(stop, wait.ms);
    const look = (news: string) => {
      if (matches?.(news)) finish(true);
      else if (job.result !== undefined) finish(matches === undefined && wait.port === undefined);
    };
    job.listeners.add(look);
    signal?.addEventListener('abort', stop, { once: true });
    const { port } = wait;
    if (port !== undefined)
      probing = setInterval(() => void isOpen(port).then((open) => open && finish(true)), portEveryMs);
    look(job.unread);
  });
}

const maxLine = 10_000;
/** What can match in a line and yet not in several of them at once. */
const textAnchors = /\\[AzZ]|\(\?\w*-/;

/**
 * Told of each new piece of output, answers whether a line matches: one that has ended, or the one that has begun. The engine is
 * quick on one long text and slow on many short ones, so that a flood is only taken apart where it matches as a whole.
 */
function lineMatcher(pattern: string): (news: string) => boolean {
  const { line, anywhere } = compiled(pattern);
  let open = '';
  return (news) => {
    const text = open + news;
    const end = text.lastIndexOf('\n') + 1;
    open = text.slice(end, end + maxLine);
    if (anywhere?.test(text) === false) return false;
    return text.split('\n').some((one) => line.test(one.slice(0, maxLine)));
  };
}

function compiled(pattern: string): { readonly line: RE2JS; readonly anywhere?: RE2JS } {
  try {
    const line = compileLinear(pattern);
    return textAnchors.test(pattern) ? { line } : { line, anywhere: compileLinear(pattern, 'lines') };
  } catch (error) {
    throw new ToolError('invalid', `The pattern is no regular expression (RE2 syntax): ${(error as Error).message}`);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: 'localhost' });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.setTimeout(1000, () => settle(false));
  });
}
