import { constants } from 'node:os';
import type { ErrorCode } from '../base/error.ts';
import { excerpt } from '../process/excerpt.ts';
import type { RunResult } from '../process/run.ts';
import type { ActionOutcome } from '../tool/tool.ts';
import type { CommandResult } from './command.ts';

/** Most characters of one result. */
export const maxResult = 30_000;
const maxStderr = 10_000;

/** `shiro` and `native`: exit code, both streams, and what the reader must know about how it ended. */
export function describeRun(result: CommandResult): ActionOutcome {
  const { first, code } = headline(result, ranIn(result));
  const notes = [...leftovers(result), ...waitingNote(result)];
  const text = [first, ...streams(result), ...notes].join('\n');
  return code === undefined ? { text } : { text, code };
}

/** Which sandbox ran it, in two words at most. */
function ranIn({ sandbox }: CommandResult): string {
  if (sandbox === undefined) return '';
  return sandbox === 'none' ? ' (not sandboxed)' : ' (sandboxed)';
}

function headline(result: RunResult, where: string): { first: string; code?: ErrorCode } {
  const { ending } = result;
  switch (ending.type) {
    case 'exit':
      return { first: `exit code: ${ending.code}${where}` };
    case 'signal':
      return { first: `exit code: ${signalCode(ending.signal)} (killed by ${ending.signal})${where}`, code: 'failed' };
    case 'timeout':
      return {
        first: `The command did not finish within ${seconds(ending.afterMs)} and was killed with all it had started${where}. Its effects are unknown.`,
        code: 'timeout',
      };
    case 'interrupted':
      return {
        first: interruptedText(ending.late),
        code: 'interrupted',
      };
  }
}

/** What a command that was stopped says in every dialect. */
export function interruptedText(late?: true): string {
  const who = late ? 'The time limit of this run ended' : 'The user interrupted';
  return `${who} this command. It did not finish, so its effects are unknown.`;
}

export function signalCode(signal: string): number {
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

function streams(result: RunResult): readonly string[] {
  const hint = wholeHint(result);
  const stderr = excerpt(result.stderr, result.stdout.bytes === 0 ? maxResult - 1000 : maxStderr, hint);
  const stdout = excerpt(result.stdout, maxResult - 1000 - stderr.text.length, hint);
  const interrupted = result.ending.type === 'interrupted';
  if (stdout.text === '' && stderr.text === '' && !interrupted) return ['(no output)'];
  return [
    ...(stdout.text === '' && !interrupted ? [] : [`stdout:\n${withoutLastEnd(stdout.text)}`]),
    ...(stderr.text === '' ? [] : [`stderr:\n${withoutLastEnd(stderr.text)}`]),
  ];
}

/** Where the rest of a cut output is, to stand behind the note in the cut. */
export function wholeHint(result: Pick<RunResult, 'spooled'>): string {
  const id = result.spooled?.split(/[\\/]/).at(-1);
  return id === undefined ? '' : ` Whole output: @output/${id}`;
}

function withoutLastEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** What was still running when the command itself had ended. */
export function leftovers(result: RunResult): readonly string[] {
  const notes: string[] = [];
  const killed = result.killed.filter((name) => !name.startsWith('bwrap '));
  if (result.ending.type !== 'timeout' && result.ending.type !== 'interrupted' && killed.length > 0) {
    notes.push(`note: ended with the command: ${list(killed)}.`);
  }
  if (result.remaining.length > 0) notes.push(`note: could not be killed and still runs: ${list(result.remaining)}.`);
  if (result.held) notes.push('note: a process that left the command’s group still holds its output open.');
  return [...notes, ...result.notes.map((note) => `note: ${note}`)];
}

const most = 5;

function list(names: readonly string[]): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A command stopped with an unfinished line that looks like a question was probably waiting for its answer. */
export function waitingNote(result: RunResult): readonly string[] {
  if (result.ending.type !== 'timeout' && result.ending.type !== 'interrupted') return [];
  const prompt = result.openLine.trim();
  if (!/[?:>\])]$/.test(prompt)) return [];
  return [
    `note: it seems to have been waiting for input at ${JSON.stringify(prompt.slice(-200))}. Nobody can answer: use an option that needs no input.`,
  ];
}
