import { ToolError } from '../base/error.ts';
import type { Job } from './job.ts';
import { type Wait, waitFor } from './job-wait.ts';
import { type RunOptions, type RunResult, start } from './run.ts';

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
/** Of those that have ended, the latest are kept to be read. */
const maxEnded = 32;

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  let count = 0;
  let starting = 0;
  const list = () => [...jobs.values()];
  const hasEnded = ({ result }: Job) => result !== undefined;

  return {
    async start(command, options) {
      refuseTooMany(starting + list().filter((job) => !hasEnded(job)).length);
      for (const { id } of list().filter(hasEnded).slice(0, -maxEnded)) jobs.delete(id);
      count += 1;
      starting += 1;
      try {
        const job = await startJob(`job-${count}`, command, options);
        jobs.set(job.id, job);
        return job;
      } finally {
        starting -= 1;
      }
    },
    get: (id) => jobs.get(id) ?? unknownJob(id, list()),
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
      await Promise.all(list().map(kill));
      jobs.clear();
    },
  };
}

async function startJob(id: string, command: string, options: RunOptions): Promise<Job> {
  const news = { unread: '', dropped: 0, listeners: new Set<(news: string) => void>() };
  const onOutput: RunOptions['onOutput'] = (stream, text) => {
    options.onOutput?.(stream, text);
    append(news, text);
  };
  const running = await start({ ...options, follow: true, onOutput });
  const job: Job = Object.assign(news, { id, command, running });
  void running.done.then((result) => {
    job.result = result;
    notify(job, '');
  });
  return job;
}

function refuseTooMany(running: number): void {
  if (running < maxJobs) return;
  throw new ToolError('conflict', `${maxJobs} background commands are running. End one with bash_kill first.`);
}

function unknownJob(id: string, jobs: readonly Job[]): never {
  const known = jobs.length === 0 ? 'There is none.' : `There are: ${jobs.map((job) => job.id).join(', ')}.`;
  throw new ToolError('missing', `No background command ${id}. ${known}`);
}

function kill(job: Job): Promise<RunResult> {
  job.running.stop({ type: 'interrupted' });
  return job.running.done;
}

type News = Pick<Job, 'unread' | 'dropped' | 'listeners'>;

function append(job: News, text: string): void {
  job.unread += text;
  const extra = job.unread.length - maxUnread;
  if (extra > maxUnread) {
    job.unread = job.unread.slice(extra);
    job.dropped += extra;
  }
  notify(job, text);
}

function notify(job: News, news: string): void {
  for (const listener of job.listeners) listener(news);
}
