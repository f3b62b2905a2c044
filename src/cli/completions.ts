import { type Command, InvalidArgumentError } from 'commander';

/** The shells that `benchdog completions` writes for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function parseShell(name: string): Shell {
  const shell = shells.find((one) => one === name);
  if (shell !== undefined) return shell;
  throw new InvalidArgumentError(`Valid: ${shells.join(', ')}.`);
}

/** A completion script made from the declaration of the command line: commands, their sub-commands and flags. */
export function completionScript(program: Command, shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bashScript(program);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(program)}`;
    case 'fish':
      return fishScript(program);
  }
}

function bashScript(program: Command): string {
  const names = program.commands.map((command) => command.name());
  const cases = program.commands.map((command) => `    ${command.name()}) words="${wordsOf(command)}" ;;`);
  return `_benchdog() {
  local at command= words
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${names.join('|')}) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
    *) words="${wordsOf(program)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _benchdog benchdog
`;
}

function wordsOf(command: Command): string {
  const names = command.commands.map((one) => one.name());
  return [...names, ...flagsOf(command).map(({ long }) => `--${long}`), '--help'].join(' ');
}

function flagsOf(command: Command): { readonly long: string; readonly description: string }[] {
  return command.options.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ long: long.replace(/^--/, ''), description }],
  );
}

function fishScript(program: Command): string {
  const lines = program.commands.flatMap((command) => {
    const within = `__fish_seen_subcommand_from ${command.name()}`;
    return [
      `complete -c benchdog -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...command.commands.map(
        (sub) => `complete -c benchdog -n '${within}' -a ${sub.name()} -d ${quoted(sub.description())}`,
      ),
      ...flagsOf(command).map((flag) => fishFlag(within, flag)),
    ];
  });
  return `${[...lines, ...flagsOf(program).map((flag) => fishFlag('__fish_use_subcommand', flag))].join('\n')}\n`;
}

function fishFlag(when: string, { long, description }: { long: string; description: string }): string {
  return `complete -c benchdog -n '${when}' -l ${long} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;
}
