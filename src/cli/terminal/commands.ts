import { beginEndCommands } from './commands/begin-end.ts';
import { changeCommands } from './commands/changes.ts';
import { contextCommands } from './commands/context.ts';
import { lookCommands } from './commands/look.ts';
import { memoryCommands } from './commands/memory.ts';
import { modelCommands } from './commands/model.ts';
import { permissionCommands } from './commands/permissions.ts';
import { sessionCommands } from './commands/sessions.ts';
import { customCommands } from './custom-commands.ts';
import type { Desk } from './desk.ts';
import type { SlashCommand } from './slash.ts';

const builtIn: readonly SlashCommand[] = [
  ...lookCommands,
  ...contextCommands,
  ...modelCommands,
  ...permissionCommands,
  ...memoryCommands,
  ...changeCommands,
  ...sessionCommands,
  ...beginEndCommands,
];

/** Every command of a session: ours, then those that the person and the trusted project define. */
export async function allCommands(desk: Desk): Promise<readonly SlashCommand[]> {
  const help: SlashCommand = {
    name: 'help',
    description: 'what can be typed here, and the keys',
    run: () => desk.say(helpText(commands)),
  };
  const own = [help, ...builtIn];
  const names = new Set(own.map(({ name }) => name));
  const commands = [...own, ...(await customCommands(desk, names))];
  return commands.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function helpText(commands: readonly SlashCommand[]): string {
  const lines = commands.map(({ name, argument, description }) => {
    const usage = argument === undefined ? `/${name}` : `/${name} ${argument}`;
    return `- \`${usage}\` ${description}`;
  });
  return `**commands**\n\n${lines.join('\n')}\n\n**keys**\n\n${keys.map((line) => `- ${line}`).join('\n')}`;
}

const keys = [
  '`enter` sends, `shift+enter`, `ctrl+j` or a backslash before `enter` begins a new line; while a turn runs, what is sent waits',
  '`esc` ends the turn; `ctrl+c` ends the command that runs, and quits when nothing does; `ctrl+z` suspends',
  '`shift+tab` goes through the modes: ask first, accept edits, plan only',
  '`@` completes paths, `/` commands, `tab` both; `!command` runs a command of your own',
  '`@image.png` shows the image to the model; `ctrl+v` the one in the clipboard',
  '`up` and `down` go through what was sent here before; `ctrl+w`, `alt+d`, `ctrl+k`, `ctrl+u` delete, `ctrl+y` brings back, `ctrl+-` undoes',
  '`ctrl+o` shows the last shortened thing whole; `ctrl+l` draws anew',
];
