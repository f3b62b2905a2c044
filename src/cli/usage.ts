import { statSync } from 'node:fs';
import { type Command, type CommanderError, Option } from 'commander';
import { unknownName } from '../base/suggest.ts';

/** Wrong usage: the command line itself can't be understood. Exit code 2. */
export class UsageError extends Error {}

/** Every option that more than one command takes, declared once: parser, help and completions come from here. */
export const commonOptions = (): Option[] => [
  new Option('--root <dir>', 'the workspace (default: the current folder)').argParser(folder),
  new Option('--dialect <name>', 'native, udiff, shiro or rousseau'),
  new Option('--tools <sets>', 'tool sets beyond core, comma-separated: edit-plus, git; "" for core alone'),
  new Option('--approve <mode>', 'ask, edits (workspace edits unasked), all, or none (what would be asked is denied)'),
  new Option('--yolo', 'the same as --approve all'),
  new Option('--config <file>', "the user's configuration file"),
  new Option('--plan', 'read-only: nothing that changes files or runs commands is offered'),
  new Option('--allow <rule>', 'TOOL:PATTERN to allow; may be given several times').argParser(collect),
  new Option('--deny <rule>', 'TOOL:PATTERN to deny; may be given several times').argParser(collect),
  new Option('--trust', "apply the project's own configuration"),
];

/** Options of an agent's turn. */
export const agentOptions = (): Option[] => [
  new Option('--plain', 'at a terminal: line by line, nothing drawn over; for screen readers'),
  new Option('--model <id>', 'PROVIDER/ID, or scripted:FILE'),
  new Option('--base-url <url>', 'an OpenAI-compatible endpoint'),
  new Option('--agent <name>', 'an agent from the configuration'),
  new Option('--max-steps <n>', 'steps a turn may take').argParser(wholeNumber('--max-steps')),
  new Option('--max-cost <usd>', 'money a run may cost').argParser(amount('--max-cost')),
  new Option('--max-time <s>', 'seconds a run may take').argParser(amount('--max-time')),
  new Option('--output-schema <file>', 'a JSON Schema the final answer must fit'),
  new Option('-c, --continue', "go on with this folder's last session"),
  new Option('-r, --resume <id>', 'go on with a session, by id or its beginning'),
  new Option('--no-mcp', 'start no MCP servers'),
  new Option('--no-plugins', 'load no plugins'),
  new Option('--no-skills', 'offer no skills'),
  new Option('--no-memory', 'no notes from earlier sessions'),
  new Option('--no-instructions', 'read no AGENTS.md or CLAUDE.md'),
  new Option('--no-subagent', 'offer no task tool'),
];

function folder(text: string): string {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory()) return text;
  throw new UsageError(`--root takes an existing folder, got "${text}".`);
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function wholeNumber(flag: string) {
  return (text: string): number => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${flag} takes a whole number from 1, got "${text}".`);
    return Number(text);
  };
}

function amount(flag: string) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value <= 0)
      throw new UsageError(`${flag} takes a number above 0, got "${text}".`);
    return value;
  };
}

/** Adds options and makes commander throw, with what this very command takes, instead of ending the process. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : explainUsage(error, command);
    })
    .configureOutput({ writeErr: () => {} });
}

/** A commander error as a usage error that lists what is valid and says what was probably meant. */
function explainUsage(error: CommanderError, command: Command): UsageError {
  const wrong = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownOption') {
    const flags = flagsOf(command);
    return new UsageError(unknownName('flag', wrong.split('=')[0]!, flags));
  }
  if (error.code === 'commander.unknownCommand') return new UsageError(unknownName('command', wrong, namesOf(command)));
  // At the top a first word that is followed by others was meant as a command.
  if (error.code === 'commander.excessArguments' && command.parent === null) {
    return new UsageError(unknownName('command', command.args[0]!, namesOf(command)));
  }
  return new UsageError(`${error.message.replace(/^error: /, '').replace(/\.$/, '')}.`);
}

function flagsOf(command: Command): string[] {
  const flags = command.options.flatMap((option) => option.long ?? option.short ?? []);
  return [...flags, '--help'];
}

/** The names of a command's sub-commands. */
export function namesOf(command: Command): string[] {
  return command.commands.map((one) => one.name());
}
