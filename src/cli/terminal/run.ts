import { resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { asToolError } from '../../base/error.ts';
import { howToGetAModel } from '../../model/no-model.ts';
import { processTerminal } from '../../ui/terminal/terminal.ts';
import { openTerminalUi, type TerminalUi } from '../../ui/terminal/terminal-ui.ts';
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
  const onInterrupt = () =>
    io.signal.aborted ? process.exit(exitCodes.interrupted) : process.kill(process.pid, 'SIGINT');
  const ui = openTerminalUi({ terminal: processTerminal(theme.charset), theme, onInterrupt });
  let session: string | undefined;
  io.signal.addEventListener('abort', ui.dismiss, { once: true });
  try {
    ui.show({
      type: 'note',
      style: 'muted',
      text: `benchdog ${packageJson.version} in ${resolve(start.flags.root ?? '.')}`,
    });
    if (!start.hasModel && !(await firstRun(io, ui))) {
      ui.show({ type: 'note', style: 'muted', text: howToGetAModel });
      return io.signal.aborted ? exitCodes.interrupted : exitCodes.usage;
    }
    session = await sitOn(io, ui, await askTrust(io, ui, start.flags), prompt);
  } finally {
    await ui.close();
  }
  if (session !== undefined) io.stdout.write(`benchdog -r ${session} goes on with this session.\n`);
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.done;
}

/** Sessions one after another; gives the last one's id. One that can't be opened is said, and the one before goes on. */
async function sitOn(
  io: Io,
  ui: TerminalUi,
  flags: AgentFlags,
  prompt: string | undefined,
): Promise<string | undefined> {
  let seated = flags;
  let next: Next = await sit({ io, ui, flags, prompt });
  while (next.type === 'sit') {
    ui.reset();
    const wanted: AgentFlags = next.flags;
    try {
      next = await sit({ io, ui, flags: wanted });
      seated = wanted;
    } catch (error) {
      ui.show({ type: 'note', style: 'bad', text: asToolError(error).message });
      next = await sit({ io, ui, flags: seated });
    }
  }
  return next.session;
}
