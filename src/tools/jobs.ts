import * as z from 'zod';
import type { Job } from '../process/job.ts';
import { createJobs, type Jobs, type Reading } from '../process/jobs.ts';
import type { RunResult } from '../process/run.ts';
import { slot, type ToolState } from '../tool/state.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { signalCode, wholeHint } from './bash-result.ts';

const jobsSlot = slot<Jobs>(createJobs);

/** The background commands of a session. */
export function jobsOf(state: ToolState): Jobs {
  return state.get(jobsSlot);
}

/** Ends a session's background commands; to be called when the session closes. */
export function endJobs(state: ToolState): Promise<void> {
  return jobsOf(state).end();
}

const maxWaitMs = 600_000;
const defaultWaitMs = 30_000;
const maxShown = 29_000;

/** `bash_output`: what a background command printed since it was last asked, after waiting if told to. */
export function bashOutput(): Tool {
  return defineTool({
    name: 'bash_output',
    description:
      'New output of a background command; without id, the list of them. Can wait for its end, a line or a port.',
    set: 'core',
    readOnly: true,
    input: z.strictObject({
      id: z.string().optional(),
      wait: z.int().min(0).max(maxWaitMs).optional().describe(`most ms to wait, default ${defaultWaitMs}`),
      pattern: z.string().optional().describe('wait for a line that matches (RE2)'),
      port: z.int().min(1).max(65_535).optional().describe('wait until it accepts connections'),
    }),
    prepare: ({ id, wait, pattern, port }, context) => ({
      effects: [],
      subject: id ?? 'list',
      plan: async () => {
        const jobs = jobsOf(context.state);
        if (id === undefined) return { type: 'answer', text: listJobs(jobs.list()) };
        const job = jobs.get(id);
        const waits = wait !== undefined || pattern !== undefined || port !== undefined;
        const limit = {
          ms: wait ?? defaultWaitMs,
          ...(pattern === undefined ? {} : { pattern }),
          ...(port === undefined ? {} : { port }),
        };
        const awaited = awaitedText(pattern, port);
        const reading = await jobs.read(job, waits ? limit : undefined, context.signal);
        return { type: 'answer', text: describeReading(job, reading, awaited) };
      },
    }),
  });
}

/** `bash_kill`: ends a background command with all it started. */
export function bashKill(): Tool {
  return defineTool({
    name: 'bash_kill',
    description: 'End a background command and all it started.',
    set: 'core',
    input: z.strictObject({ id: z.string() }),
    prepare: ({ id }, context) => ({
      effects: [],
      subject: id,
      plan: async () => {
        const jobs = jobsOf(context.state);
        const job = jobs.get(id);
        return {
          type: 'action',
          preview: `end ${id}: ${job.command}`,
          run: async () => {
            const before = job.result;
            await jobs.kill(job);
            const reading = await jobs.read(job);
            jobs.forget(job);
            const text = before === undefined ? `Ended ${id}.` : `${id} had ended before: ${describeEnd(before)}.`;
            return { text: [text, ...outputOf(reading)].join('\n') };
          },
        };
      },
    }),
  });
}

function listJobs(jobs: readonly Job[]): string {
  if (jobs.length === 0) return 'No background commands.';
  return jobs.map((job) => `${job.id}  ${stateOf(job.result)}  ${firstLine(job.command)}`).join('\n');
}

function firstLine(command: string): string {
  const line = command.trim().split('\n')[0]!;
  return line.length > 100 || command.trim().includes('\n') ? `${line.slice(0, 100)}…` : line;
}

function awaitedText(pattern: string | undefined, port: number | undefined): string | undefined {
  if (pattern !== undefined) return JSON.stringify(pattern);
  return port === undefined ? undefined : `port ${port}`;
}

function describeReading(job: Job, reading: Reading, awaited: string | undefined): string {
  const missed = reading.met === false && awaited !== undefined ? [`${awaited} did not come.`] : [];
  return [`${job.id}: ${stateOf(reading.result)}`, ...missed, ...outputOf(reading)].join('\n');
}

function stateOf(result: RunResult | undefined): string {
  return result === undefined ? 'running' : describeEnd(result);
}

function describeEnd({ ending }: RunResult): string {
  switch (ending.type) {
    case 'exit':
      return `exit code: ${ending.code}`;
    case 'signal':
      return `exit code: ${signalCode(ending.signal)} (killed by ${ending.signal})`;
    case 'timeout':
      return 'timed out';
    case 'interrupted':
      return 'ended by bash_kill';
  }
}

/** The end of the output counts most; what is older is in the file with the whole. */
function outputOf({ text, dropped, result }: Reading): readonly string[] {
  const cut = text.length - maxShown;
  const lost = dropped + Math.max(0, cut);
  const shown = cut > 0 ? text.slice(text.indexOf('\n', cut) + 1) : text;
  const hint = result === undefined ? '' : wholeHint(result);
  const note = lost > 0 ? [`... [truncated ${lost.toLocaleString('en-US')} chars${hint}]`] : [];
  return [...note, ...(shown === '' ? ['(no new output)'] : [shown.endsWith('\n') ? shown.slice(0, -1) : shown])];
}
