import { resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { processTerminal } from '../../ui/terminal/terminal.ts';
import { openTerminalUi } from '../../ui/terminal/terminal-ui.ts';
import { themeFor } from '../../ui/terminal/theme.ts';
import { exitCodes } from '../exit.ts';
import type { AgentFlags, Io } from '../program.ts';
import type { Next } from './desk.ts';
import { firstRun } from './first-run.ts';
import { sit } from './sitting.ts';
import { askTrust } from './trust.ts';

export interface Start {
  readonly flags: AgentFlags;
  /** False: nobody has chosen a model yet. */
  readonly hasModel: boolean;
}

/** `benchdog [PROMPT]` at a terminal that can be drawn on: sessions one after another until the person quits. */
export async function runTerminal(io: Io, prompt: string | undefined, start: Start): Promise<number> {
  const theme = themeFor(io.env);
  const ui = openTerminalUi({ terminal: processTerminal(theme.charset), theme });
  try {
    ui.show({
      type: 'note',
      style: 'muted',
      text: `benchdog ${packageJson.version} in ${resolve(start.flags.root ?? '.')}`,
    });
    if (!start.hasModel && !(await firstRun(io, ui))) return exitCodes.usage;
    let next: Next = { type: 'sit', flags: await askTrust(io, ui, start.flags) };
    for (let first = prompt; next.type === 'sit'; first = undefined) {
      next = await sit({ io, ui, flags: next.flags, prompt: first });
      ui.reset();
    }
  } finally {
    await ui.close();
  }
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.done;
}
