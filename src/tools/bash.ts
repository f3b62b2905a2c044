import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { excerpt } from '../process/excerpt.ts';
import type { RunResult } from '../process/run.ts';
import { type ActionOutcome, defineTool, type Tool } from '../tool/tool.ts';
import { describeRun, interruptedText, leftovers, maxResult, waitingNote, wholeHint } from './bash-result.ts';
import { executeEffect, type ShellSettings } from './command.ts';
import { commandPlan } from './command-plan.ts';

export const defaultTimeoutMs = 120_000;
export const maxTimeoutMs = 600_000;

export const commandText = z.string().refine((text) => text.trim() !== '', 'is empty; send a shell command');
export const timeoutMs = z.int().min(1).max(maxTimeoutMs).optional().describe(`ms, default ${defaultTimeoutMs}`);

/** `bash` of the `shiro` dialect: a login bash in the workspace's root. */
export function shiroBash(settings: ShellSettings = {}): Tool {
  return defineTool({
    name: 'bash',
    description:
      'Run a command in a login bash in the workspace root. Returns exit code, stdout and stderr. Input is empty; whatever it starts ends with it.',
    set: 'core',
    input: z.strictObject({ command: commandText, timeout: timeoutMs }),
    prepare: ({ command, timeout = defaultTimeoutMs }, context) => ({
      effects: [executeEffect(context.workspace, 'login', refuseNul(command))],
      subject: command,
      plan: async () => commandPlan(settings, context, { command, kind: 'login', timeoutMs: timeout }, describeRun),
    }),
  });
}

/** `bash` of the `rousseau` dialect: `/bin/sh -c`, one combined output, a non-zero exit is an error that carries it. */
export function rousseauBash(settings: ShellSettings & { readonly timeoutMs?: number | undefined } = {}): Tool {
  const limit = settings.timeoutMs ?? 60_000;
  return defineTool({
    name: 'bash',
    description: `Execute a shell command via /bin/sh -c. Returns combined stdout and stderr; killed after ${goDuration(limit)}.`,
    set: 'core',
    input: z.strictObject({ command: commandText.describe('The shell command to execute.') }),
    prepare: ({ command }, context) => ({
      effects: [executeEffect(context.workspace, 'posix', refuseNul(command))],
      subject: command,
      plan: async () => commandPlan(settings, context, { command, kind: 'posix', timeoutMs: limit }, rousseauOutcome),
    }),
  });
}

function rousseauOutcome(result: RunResult): ActionOutcome {
  const output = excerpt(result.stdout, maxResult - 1000, wholeHint(result)).text;
  const withNotes = (first: string) =>
    [...(first === '' ? [] : [first]), output, ...leftovers(result), ...waitingNote(result)]
      .filter((part) => part !== '')
      .join('\n');
  const { ending } = result;
  switch (ending.type) {
    case 'exit':
      if (ending.code !== 0) return { code: 'failed', text: withNotes(`bash: exit status ${ending.code}`) };
      return { text: leftovers(result).length === 0 ? output : withNotes('') };
    case 'signal':
      return { code: 'failed', text: withNotes(`bash: signal: killed by ${ending.signal}`) };
    case 'timeout':
      return { code: 'timeout', text: withNotes(`bash: timed out after ${goDuration(ending.afterMs)}`) };
    case 'interrupted':
      return {
        code: 'interrupted',
        text: withNotes(interruptedText(ending.late)),
      };
  }
}

/** A duration as Go prints it: `1m0s`, `1.5s`, `200ms`. */
export function goDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const rest = `${(ms % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

export function refuseNul(command: string): string {
  if (!command.includes('\0')) return command;
  throw new ToolError(
    'invalid',
    'invalid bash arguments: field "command" holds a NUL character, which no shell takes.',
  );
}
