import { randomUUID } from 'node:crypto';
import { ToolError } from '../../base/error.ts';
import { type CustomCommand, expandCommand, findCommands } from '../../extend/custom-commands.ts';
import type { Desk } from './desk.ts';
import type { SlashCommand } from './slash.ts';

/** The commands that Markdown files define; none takes the name of one of ours. */
export async function customCommands(desk: Desk, taken: ReadonlySet<string>): Promise<readonly SlashCommand[]> {
  const { app } = desk;
  const { list, notices } = await findCommands({
    root: app.workspace.root.real,
    trusted: app.trusted,
    home: app.home.config,
    taken,
  });
  for (const notice of notices) desk.note(notice, 'warn');
  return list.map((command) => ({
    name: command.name,
    ...(command.argument === undefined ? {} : { argument: command.argument }),
    description: command.description,
    run: (at, argument) => send(at, command, argument),
  }));
}

/** The file's text with the arguments in it; the commands in it run through the gate, asked like any other. */
async function send(desk: Desk, command: CustomCommand, argument: string): Promise<void> {
  const text = await expandCommand(await command.load(), argument, async (line) => {
    const result = await desk.app.gate.call({
      id: `person-${randomUUID()}`,
      tool: 'bash',
      args: JSON.stringify({ command: line }),
    });
    if (result.ok) return result.text;
    throw new ToolError(result.code, `/${command.name} was not sent: ${result.text}`);
  });
  desk.send(text);
}
