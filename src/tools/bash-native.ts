import * as z from 'zod';
import type { Job } from '../process/job.ts';
import type { RunOptions, RunResult } from '../process/run.ts';
import { type ActionOutcome, defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { commandText, defaultTimeoutMs, refuseNul, timeoutMs } from './bash.ts';
import { describeRun } from './bash-result.ts';
import { commandOptions, executeEffect, type ShellSettings } from './command.ts';
import { commandPlan } from './command-plan.ts';
import { jobsOf } from './jobs.ts';

/** `bash` of the `native` dialect: as in `shiro`, and it can go on in the background. */
export function nativeBash(settings: ShellSettings = {}): Tool {
  return defineTool({
    name: 'bash',
    description:
      'Run a command in a login bash in the workspace root. Returns exit code, stdout and stderr. Input is empty; whatever it starts ends with it, so start servers with background: true.',
    set: 'core',
    input: z.strictObject({
      command: commandText,
      timeout: timeoutMs,
      background: z
        .union([z.boolean(), z.literal('on_timeout')])
        .optional()
        .describe('true: returns an id at once, to read and end it by; on_timeout: when the time is over'),
    }),
    prepare: ({ command, timeout = defaultTimeoutMs, background = false }, context) => ({
      effects: [executeEffect(context.workspace, 'login', refuseNul(command))],
      subject: command,
      plan: async () => {
        const launched = { command, timeoutMs: timeout, background };
        if (background === false) return commandPlan(settings, context, { ...launched, kind: 'login' }, describeRun);
        return {
          type: 'action',
          preview: background === true ? `${command}\n(in the background)` : command,
          run: () => launch(settings, context, launched),
        };
      },
    }),
  });
}

interface Launch {
  readonly command: string;
  readonly timeoutMs: number;
  readonly background: boolean | 'on_timeout';
}

async function launch(settings: ShellSettings, context: ToolContext, launched: Launch): Promise<ActionOutcome> {
  const { command, timeoutMs, background } = launched;
  const asked = { command, kind: 'login', timeoutMs } as const;
  const { options, sandbox } = await commandOptions(settings, context, asked);
  const live = liveWhileCalled(options);
  const jobs = jobsOf(context.state);
  const job = await jobs.start(command, live.options);
  const ended = background === true ? undefined : await endWithin(job, timeoutMs, context.signal);
  live.stop();
  if (ended === undefined) {
    const where = settings.views?.always === true ? ' It works on the workspace itself, not in a view.' : '';
    return {
      text: `${background === true ? 'Started' : 'Still running, now'} in the background as ${job.id}.${where}`,
    };
  }
  jobs.forget(job);
  return describeRun({ ...ended, ...(sandbox === undefined ? {} : { sandbox }) });
}

/** A job outlives its call: neither the call's limits nor its cancellation end it, and its output is news only until then. */
function liveWhileCalled({ signal: _, timeoutMs: __, onOutput, ...options }: RunOptions) {
  let called = true;
  return {
    options: {
      ...options,
      onOutput: (...news: Parameters<NonNullable<typeof onOutput>>) => void (called && onOutput?.(...news)),
    },
    stop: () => {
      called = false;
    },
  };
}

/** The result when the job ends in time or is interrupted; undefined when it is still running then. */
async function endWithin(job: Job, ms: number, signal: AbortSignal): Promise<RunResult | undefined> {
  const interrupt = () => job.running.stop({ type: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    limit = setTimeout(() => resolve(undefined), ms);
  });
  const result = await Promise.race([job.running.done, late]);
  clearTimeout(limit);
  signal.removeEventListener('abort', interrupt);
  return result;
}
