import type { Writable } from 'node:stream';
import type { AgentEvent, DoneEvent, ExitCode } from '../agent/event.ts';
import { renderReceipt } from '../agent/receipt.ts';

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
    const tail = closing(event);
    if (tail !== '') await write(stderr, `${tail}\n`);
    return;
  }
  const line = lineOf(event);
  if (line !== undefined) await write(stderr, line.endsWith('\n') ? line : `${line}\n`);
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return `> ${event.tool} ${oneLine(event.arguments)}`;
    case 'tool-output':
      return event.text;
    case 'tool-result':
      return (
        event.changes
          .map(({ type, path, to, added, removed }) => `  ${type} ${to ?? path} +${added} -${removed}`)
          .join('\n') || undefined
      );
    case 'tool-error':
      return `  ${event.tool}: ${event.code}: ${oneLine(event.text)}`;
    case 'tool-denied':
      return `  denied: ${oneLine(event.text)}`;
    case 'approval':
      return `  approval ${event.answer}: ${event.tool} ${oneLine(event.subject)}`;
    case 'subagent':
      return `  [${event.kind}] ${event.state}: ${oneLine(event.text || event.description)}`;
    case 'compacted':
      return `  conversation compacted: about ${event.before} -> ${event.after} tokens`;
    case 'notice':
      return `  ${event.code}: ${oneLine(event.text)}`;
    case 'error':
      return `benchdog: ${event.text}`;
    default:
      return undefined;
  }
}

function closing({ receipt, steps, cost, exit }: DoneEvent): string {
  const lines = [renderReceipt(receipt)];
  if (exit !== 0) lines.push(`${steps} steps${cost ? `, $${cost.toFixed(4)}` : ''}, exit ${exit}: ${meanings[exit]}`);
  return lines.filter((line) => line !== '').join('\n');
}

const meanings: Record<ExitCode, string> = {
  0: 'done',
  1: 'failed',
  2: 'wrong usage',
  3: 'something was denied',
  4: 'finished, but not verified',
  5: 'a limit was reached',
  130: 'interrupted',
};

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Waits while a slow reader catches up; a reader that went away ends nothing but the printing. */
function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
