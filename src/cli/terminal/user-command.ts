import { randomUUID } from 'node:crypto';
import type { App } from '../../app.ts';
import { joinSignals } from '../../base/join-signals.ts';
import type { Approver } from '../../gate/approver.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import type { Errand } from './errands.ts';

/** The person typed the command: asking again would be idle. Guards and deny rows still hold. */
const typed: Approver = { present: true, ask: async () => ({ type: 'once' }) };

/**
 * `!COMMAND`: a command of the person's own, through the gate like any other. What it printed is told to the model with
 * the next prompt.
 */
export function userCommand(
  { app, ui }: { readonly app: App; readonly ui: TerminalUi },
  command: string,
  tell: (text: string) => void,
): Errand {
  return {
    text: `!${command}`,
    async run({ signal, interrupter }) {
      if (app.registry.get('bash') === undefined) {
        return ui.show({ type: 'note', style: 'bad', text: `The ${app.dialect.name} dialect has no shell.` });
      }
      const callId = `person-${randomUUID()}`;
      const stop = new AbortController();
      const either = joinSignals([signal, stop.signal]);
      const forget = interrupter.watch(() => stop.abort());
      const args = JSON.stringify({ command });
      ui.event({ type: 'tool-start', callId, tool: 'bash', arguments: args });
      const result = await app.gate.call(
        { id: callId, tool: 'bash', args },
        {
          signal: either.signal,
          approver: typed,
          emit: ({ text, ...progress }) =>
            ui.event({
              type: 'tool-output',
              callId,
              stream: progress.type === 'output' ? progress.stream : 'status',
              text,
            }),
        },
      );
      forget();
      either.release();
      const { text } = result;
      if (result.ok) ui.event({ type: 'tool-result', callId, tool: 'bash', text, changes: result.changes });
      else if (result.code === 'denied') ui.event({ type: 'tool-denied', callId, tool: 'bash', text });
      else ui.event({ type: 'tool-error', callId, tool: 'bash', code: result.code, text });
      tell(`I ran \`${command}\` myself:\n${text}`);
    },
  };
}
