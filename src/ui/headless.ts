import type { Writable } from 'node:stream';
import type { AgentEvent, ExitCode } from '../agent/event.ts';
import { closingLines, eventLine } from './event-line.ts';

export interface HeadlessOptions {
  readonly events: AsyncIterable<AgentEvent>;
  /** One event a line on stdout instead of the answer. */
  readonly json: boolean;
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
  let said = '';
  for await (const event of options.events) {
    if (event.type === 'delta') continue;
    if (event.type === 'done') exit = event.exit;
    if (options.json) await write(options.stdout, `${JSON.stringify(event)}\n`);
    else if (event.type === 'text') said = event.text;
    else {
      if (event.type === 'tool-start' && said !== '') await write(options.stderr, `${said.trim()}\n`);
      said = event.type === 'tool-start' ? '' : said;
      await printEvent(event, options);
    }
  }
  return exit;
}

async function printEvent(event: AgentEvent, { stdout, stderr }: HeadlessOptions): Promise<void> {
  if (event.type === 'done') {
    if (event.text !== '') await write(stdout, `${event.text}\n`);
    const tail = closingLines(event);
    if (tail !== '') await write(stderr, `${tail}\n`);
    return;
  }
  const line = eventLine(event);
  if (line !== undefined) await write(stderr, line.endsWith('\n') ? line : `${line}\n`);
}

/** Waits while a slow reader catches up; a reader that went away ends nothing but the printing. */
function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
