import { processTerminal } from '../../ui/terminal/terminal.ts';
import { openTerminalUi } from '../../ui/terminal/terminal-ui.ts';
import { themeFor } from '../../ui/terminal/theme.ts';
import { exitCodes } from '../exit.ts';
import type { AgentFlags, Io } from '../program.ts';
import type { Next } from './desk.ts';
import { sit } from './sitting.ts';

/** `benchdog [PROMPT]` at a terminal that can be drawn on: sessions one after another until the person quits. */
export async function runTerminal(io: Io, prompt: string | undefined, flags: AgentFlags): Promise<number> {
  const theme = themeFor(io.env);
  const ui = openTerminalUi({ terminal: processTerminal(theme.charset), theme });
  try {
    let next: Next = { type: 'sit', flags };
    for (let first = prompt; next.type === 'sit'; first = undefined) {
      next = await sit({ io, ui, flags: next.flags, prompt: first });
      ui.reset();
    }
  } finally {
    await ui.close();
  }
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.done;
}
