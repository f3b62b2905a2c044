import { type AlwaysStyle, isUnsafePrefix, neededWords, runsGivenCode, subcommands } from './always.ts';
import type { ShellLine } from './shell/line.ts';
import { plainWord } from './shell/word.ts';
import type { JudgedCall } from './verdict.ts';

/**
 * Why a pattern that a person wrote may not be granted for a call, as a sentence; undefined when it is narrow enough. It
 * is held to what is offered: a program with its sub-command, never what runs the code it is given.
 */
export function widthProblem(
  call: JudgedCall,
  lines: readonly ShellLine[],
  pattern: string,
  style: AlwaysStyle,
): string | undefined {
  if (pattern.trim() === '') return 'The pattern is empty.';
  if (lines.length > 0) return commandProblem(lines, pattern, style);
  if (call.effects.some((effect) => effect.kind === 'execute')) return undefined;
  return /[^*?/.]/.test(pattern) ? undefined : `"${pattern}" is too wide: it names no file and no folder.`;
}

function commandProblem(lines: readonly ShellLine[], pattern: string, style: AlwaysStyle): string | undefined {
  const runner = lines
    .flatMap(({ commands }) => commands)
    .find((command) => command.vouched !== 'script' && runsGivenCode(command));
  if (runner !== undefined)
    return `${runner.name ?? 'What it starts'} runs code that it is given, so it can only be allowed once.`;
  const wild = pattern.search(/[*?]/);
  return wild < 0 ? undefined : prefixProblem(pattern, pattern.slice(0, wild), style);
}

/** What stands before the first wildcard must tell what may run. */
function prefixProblem(pattern: string, start: string, style: AlwaysStyle): string | undefined {
  const tooWide = `"${pattern}" is too wide: `;
  if (/[;&|<>()`$\n]/.test(pattern)) return `${tooWide}a pattern with * or ? stands for one command.`;
  const words = start
    .slice(0, start.lastIndexOf(' ') + 1)
    .split(' ')
    .filter(Boolean);
  const [name, ...rest] = words;
  if (name === undefined) return `${tooWide}it names no program. Write "PROGRAM *".`;
  const command = { name, args: rest.map(plainWord), within: [], text: words.join(' ') };
  if (runsGivenCode(command)) return `${tooWide}${name} runs code that it is given.`;
  if (isUnsafePrefix(command)) return `${tooWide}${name} can do harm with other arguments. Write the whole command.`;
  if (style === 'sub-command' && subcommands(command).length < neededWords(name))
    return `${tooWide}it names no sub-command of ${name}.`;
  return undefined;
}
