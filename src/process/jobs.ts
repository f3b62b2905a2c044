import { createConnection } from 'node:net';
import { RE2JS } from 're2js';
import { ToolError } from '../base/error.ts';
import { type Running, type RunOptions, type RunResult, start } from './run.ts';

/** A command that runs while other calls are made. */
export interface Job {
  readonly id: string;
  readonly command: string;
  readonly running: Running;
  /** Output that was not read yet, both streams as they came. */
  unread: string;
  /** Characters that were dropped from the beginning of `unread`. */
  dropped: number;
  result?: RunResult;
  /** Told when there is news: output or the end. */
  readonly listeners: Set<() => void>;
}

/** What `read` waits for; it also ends with the job and with the time. */
export interface Wait {
  readonly ms: number;
  /** RE2 syntax, tested on each unread line. */
  readonly pattern?: string;
  /** A TCP port of this machine that takes connections. */
  readonly port?: number;
}

export interface Reading {
  readonly text: string;
  readonly dropped: number;
  /** Undefined while the job runs. */
  readonly result?: RunResult;
  /** Undefined when nothing was waited for. */
  readonly met?: boolean;
}

/** The background commands of a session. */
export interface Jobs {
  start(command: string, options: RunOptions): Promise<Job>;
  get(id: string): Job;
  list(): readonly Job[];
  /** Takes the unread output, after waiting if asked. */
  read(job: Job, wait?: Wait, signal?: AbortSignal): Promise<Reading>;
  kill(job: Job): Promise<RunResult>;
  /** Takes a job that has ended off the list. */
  forget(job: Job): void;
  /** Ends them all; for the end of a session. */
  end(): Promise<void>;
}

const maxUnread = 256 * 1024;
const maxJobs = 32;
const portEveryMs = 100;

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  let count = 0;
  const list = () => [...jobs.values()];

  return {
    async start(command, options) {
      if (list().filter((job) => job.result === undefined).length >= maxJobs) {
        throw new ToolError('conflict', `${maxJobs} background commands are running. End one with bash_kill first.`);
      }
      count += 1;
      const id = `job-${count}`;
      let job: Job | undefined;
      let early = '';
      const running = await start({
        ...options,
        follow: true,
        onOutput: (stream, text) => {
          options.onOutput?.(stream, text);
          if (job === undefined) early += text;
          else append(job, text);
        },
      });
      job = { id, command, running, unread: early, dropped: 0, listeners: new Set() };
      jobs.set(id, job);
      void running.done.then((result) => {
        job.result = result;
        notify(job);
      });
      return job;
    },
    get(id) {
      const job = jobs.get(id);
      if (job !== undefined) return job;
      const known = list().map((one) => one.id);
      throw new ToolError(
        'missing',
        `No background command ${id}. ${known.length === 0 ? 'There is none.' : `There are: ${known.join(', ')}.`}`,
      );
    },
    list,
    async read(job, wait, signal) {
      const met = wait === undefined ? undefined : await waitFor(job, wait, signal);
      const { unread: text, dropped, result } = job;
      job.unread = '';
      job.dropped = 0;
      return { text, dropped, ...(result === undefined ? {} : { result }), ...(met === undefined ? {} : { met }) };
    },
    kill,
    forget: (job) => void jobs.delete(job.id),
    async end() {
      await Promise.all(list().map((job) => kill(job)));
      jobs.clear();
    },
  };
}

function kill(job: Job): Promise<RunResult> {
  job.running.stop({ type: 'interrupted' });
  return job.running.done;
}

function append(job: Job, text: string): void {
  job.unread += text;
  const extra = job.unread.length - maxUnread;
  if (extra > maxUnread) {
    job.unread = job.unread.slice(extra);
    job.dropped += extra;
  }
  notify(job);
}

function notify(job: Job): void {
  for (const listener of job.listeners) listener();
}

/** True when what was waited for came; false when the job or the time ended first. */
function waitFor(job: Job, wait: Wait, signal?: AbortSignal): Promise<boolean> {
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
    regex = RE2JS.compile(pattern);
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
