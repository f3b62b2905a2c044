import type { Desk } from './desk.ts';
import type { SlashCommand } from './slash.ts';

/** Every command of a session. */
export async function allCommands(_desk: Desk): Promise<readonly SlashCommand[]> {
  const commands: SlashCommand[] = [];
  const help: SlashCommand = {
    name: 'help',
    description: 'what can be typed here',
    run: (desk) => desk.say(commands.map(({ name, description }) => `- \`/${name}\` ${description}`).join('\n')),
  };
  commands.push(help, { name: 'quit', description: 'end the session', run: (desk) => desk.leave({ type: 'quit' }) });
  return commands;
}
