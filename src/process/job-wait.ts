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
    const look = () => {
      if (matches?.(job.unread)) finish(true);
      else if (job.result !== undefined) finish(matches === undefined && wait.port === undefined);
    };
    job.listeners.add(look);
    signal?.addEventListener('abort', stop, { once: true });
    const { port } = wait;
    if (port !== undefined)
      probing = setInterval(() => void isOpen(port).then((open) => open && finish(true)), portEveryMs);
    look();
  });
}

const maxLine = 10_000;

/** Tests each line once, as it grows; linear in the output whatever the pattern. */
function lineMatcher(pattern: string): (unread: string) => boolean {
  let regex: RE2JS;
  try {
    regex = compileLinear(pattern);
  } catch (error) {
    throw new ToolError('invalid', `The pattern is no regular expression (RE2 syntax): ${(error as Error).message}`);
  }
  let tested = 0;
  return (unread) => {
    const from = tested > unread.length ? 0 : tested;
    tested = unread.lastIndexOf('\n') + 1;
    return unread
      .slice(from)
      .split('\n')
      .some((line) => regex.matcher(line.slice(0, maxLine)).find());
  };
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
