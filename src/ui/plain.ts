import type { Writable } from 'node:stream';
import type { AgentEvent, ExitCode } from '../agent/event.ts';
import { visibleProse, visibleText } from '../base/visible.ts';
import { closingLines, eventLine } from './event-line.ts';

/**
 * Shows a turn line by line as it comes: text as it streams, one line for each call, the receipt at the end. For
 * terminals of every kind, screen readers included: nothing is drawn over.
 */
export async function plainTurn(events: AsyncIterable<AgentEvent>, out: Writable): Promise<ExitCode> {
  let exit: ExitCode = 1;
  let column = 0;
  const print = (text: string) => {
    if (text === '') return;
    out.write(text);
    column = text.endsWith('\n') ? 0 : 1;
  };
  const fresh = () => print(column === 0 ? '' : '\n');
  for await (const event of events) {
    if (event.type === 'delta') {
      if (event.of === 'text') print(visibleProse(event.text));
      continue;
    }
    // Streamed already.
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'approval') continue;
    fresh();
    if (event.type === 'done') exit = event.exit;
    const line = event.type === 'done' ? closingLines(event) : eventLine(event);
    if (line) print(`${visibleText(line)}\n`);
  }
  fresh();
  return exit;
}
