import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ToolError } from '../base/error.ts';
import { joinSignals } from '../base/join-signals.ts';
import type { Io } from './program.ts';

export interface QuestionOptions {
  /** True: what is typed does not appear on the screen. */
  readonly hidden?: boolean;
  readonly signal?: AbortSignal;
}

/** One line typed at the terminal. Throws `interrupted` at ctrl-c, at the end of input, and when the signal says so. */
export async function askLine(io: Pick<Io, 'stdin' | 'stderr'>, question: string, options: QuestionOptions = {}) {
  const { hidden = false, signal } = options;
  const stop = new AbortController();
  const either = joinSignals([stop.signal, signal]);
  if (hidden) io.stderr.write(question);
  const lines = createInterface({ input: io.stdin, output: hidden ? nowhere() : io.stderr, terminal: true });
  lines.once('SIGINT', () => stop.abort());
  lines.once('close', () => stop.abort());
  try {
    return await lines.question(hidden ? '' : question, { signal: either.signal });
  } catch (error) {
    throw new ToolError('interrupted', 'No answer was given.', { cause: error });
  } finally {
    either.release();
    lines.close();
    if (hidden) io.stderr.write('\n');
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
