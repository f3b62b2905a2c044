import type { AgentEvent, DoneEvent, ExitCode } from '../agent/event.ts';
import { renderReceipt } from '../agent/receipt.ts';
import { plural } from '../base/text.ts';

/** One event as a line for a person; undefined for those that need none. */
export function eventLine(event: AgentEvent): string | undefined {
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

/** What stands at the end of a turn: the receipt, and why it did not end well. */
export function closingLines({ receipt, steps, cost, exit }: DoneEvent): string {
  const lines = [renderReceipt(receipt)];
  if (exit !== 0)
    lines.push(`${plural(steps, 'step')}${cost ? `, $${cost.toFixed(4)}` : ''}, exit ${exit}: ${meanings[exit]}`);
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
