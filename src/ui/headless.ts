import type { Writable } from 'node:stream';
import { type AgentEvent, type ExitCode, worstExit } from '../agent/event.ts';
import { visibleText } from '../base/visible.ts';
import { closingLines, eventLine } from './event-line.ts';

export interface HeadlessOptions {
  readonly events: AsyncIterable<AgentEvent>;
  /** One event a line on stdout instead of the answer. */
  readonly json: boolean;
  /** A terminal reads stdout: nothing in the answer may move its cursor. Programs get it as it is. */
  readonly terminal?: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Prints a turn for scripts. Text: the answer on stdout, everything else on stderr. `json`: every event but live deltas,
 * one object a line, on stdout. Returns the exit code.
 */
export async function headless(options: HeadlessOptions): Promise<ExitCode> {
  for (const stream of [options.stdout, options.stderr]) stream.on('error', () => {});
  let exit: ExitCode = 1;
  let lost: Error | undefined;
  let said = '';
  for await (const event of options.events) {
    if (event.type === 'delta') continue;
    if (event.type === 'done') exit = event.exit;
    if (options.json) lost ??= await write(options.stdout, `${JSON.stringify(event)}\n`);
    else if (event.type === 'text') said = event.text;
    else {
      if (event.type === 'tool-start' && said !== '') await write(options.stderr, `${visibleText(said.trim())}\n`);
      said = event.type === 'tool-start' ? '' : said;
      lost ??= await printEvent(event, options);
    }
  }
  return lost === undefined ? exit : answerLost(lost, exit, options.stderr);
}

async function printEvent(event: AgentEvent, options: HeadlessOptions): Promise<Error | undefined> {
  const { terminal, stdout, stderr } = options;
  if (event.type === 'done') {
    const answer = terminal ? visibleText(event.text) : event.text;
    const lost = answer === '' ? undefined : await write(stdout, `${answer}\n`);
    const tail = closingLines(event);
    if (tail !== '') await write(stderr, `${visibleText(tail)}\n`);
    return lost;
  }
  const line = eventLine(event);
  if (line !== undefined) await write(stderr, visibleText(line.endsWith('\n') ? line : `${line}\n`));
  return undefined;
}

async function answerLost(error: Error, exit: ExitCode, stderr: Writable): Promise<ExitCode> {
  await write(stderr, `benchdog: the answer could not be written: ${error.message}\n`);
  return worstExit([exit, 1]);
}

/** Waits while a slow reader catches up; a reader that went away (`| head`) ends the printing and is no error. */
function write(stream: Writable, text: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stream.write(text, (error) => resolve(error && !wentAway(error) ? error : undefined));
  });
}

function wentAway({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_WRITE_AFTER_END';
}
