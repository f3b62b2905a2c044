import { asToolError } from '../../base/error.ts';
import { unknownName } from '../../base/suggest.ts';
import type { Desk } from './desk.ts';

/** Something a person may do with `/NAME`. */
export interface SlashCommand {
  readonly name: string;
  /** What may stand behind the name, for the menu. */
  readonly argument?: string;
  readonly description: string;
  /** True for what can't be done while a turn runs. */
  readonly idle?: boolean;
  run(desk: Desk, argument: string): Promise<void> | void;
}

/** `/name the rest`; undefined for a text that is no command, such as a path. */
export function parseSlash(text: string): { readonly name: string; readonly argument: string } | undefined {
  const parsed = /^\/([a-z][a-z0-9_:-]*)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  return parsed === null ? undefined : { name: parsed[1]!.toLowerCase(), argument: parsed[2]?.trim() ?? '' };
}

/** Does what the text says; errors are told where they belong, and end nothing. */
export async function runSlash(desk: Desk, commands: readonly SlashCommand[], text: string): Promise<void> {
  const parsed = parseSlash(text)!;
  const command = commands.find(({ name }) => name === parsed.name);
  if (command === undefined) {
    const names = commands.map(({ name }) => `/${name}`);
    return desk.note(unknownName('command', `/${parsed.name}`, names), 'bad');
  }
  if (command.idle === true && desk.errands.busy()) {
    return desk.note(`/${command.name} has to wait until the turn is over (esc ends it).`, 'warn');
  }
  try {
    await command.run(desk, parsed.argument);
  } catch (error) {
    desk.note(asToolError(error).message, 'bad');
  }
}
