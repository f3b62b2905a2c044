import { ToolError } from '../base/error.ts';
import type { Verdict } from './verdict.ts';

/** A rule, the guard or a built-in said no. */
export function denied(tool: string, subject: string, verdict: Verdict): ToolError {
  const reason = verdict.reason === undefined ? '' : ` Reason: ${ended(verdict.reason)}`;
  return new ToolError('denied', `${tool} ${subject} is denied by ${verdict.by}.${reason} Nothing was done.`);
}

/** A person said no. */
export function declined(tool: string, reason?: string): ToolError {
  const why = reason ? ` Reason: ${ended(reason)}` : '';
  return new ToolError(
    'denied',
    `The user declined ${tool}.${why} Nothing was done. Ask what to do instead, or go another way.`,
  );
}

/** The call needed a person and there is none. */
export function unattended(tool: string, subject: string, verdict: Verdict): ToolError {
  const reason = verdict.reason === undefined ? '' : ` Reason: ${ended(verdict.reason)}`;
  return new ToolError(
    'denied',
    `${tool} ${subject} needs approval (${verdict.by}) and nobody could be asked.${reason} Nothing was done. ${advice(tool, subject, verdict)}`,
  );
}

/** What a row can't lift must not be promised. */
function advice(tool: string, subject: string, { effects, always }: Verdict): string {
  const beyond = effects.some(
    ({ decision, by }) => decision !== 'allow' && /^(?:built-in|guard|secrets|protect):/.test(by),
  );
  if (beyond) return 'No rule allows it: write it so that all it does can be read, or have a person approve it.';
  return `Whoever starts this can allow it with --allow '${tool}:${always ?? subject}'.`;
}

/** The third identical call, with nobody there to let it pass. */
export function repeatedTooOften(tool: string): ToolError {
  return new ToolError(
    'denied',
    `This is the third identical call of ${tool} with nothing changed in between, so the answer would be the same. ` +
      'Nothing was done. Use the answer you have, or do something else.',
  );
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
