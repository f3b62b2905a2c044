import { type Inner, joined, type Wrapped } from './inner.ts';
import { type OptionTable, readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

/** Programs that hand commands to a shell which runs them later, or in another window. */
export function unwrapLater(name: string, args: readonly ShellWord[]): Wrapped | undefined {
  if (name === 'tmux') return unwrapTmux(args);
  if (name === 'screen') return unwrapScreen(args);
  if (!Object.hasOwn(schedulers, name)) return undefined;
  const lists = args.some((word) => schedulers[name]!.test(plainText(word) ?? ''));
  return lists ? undefined : opaque(`${name} takes commands that run later`);
}

/** By program, the options that only list or take back. */
const schedulers: Readonly<Record<string, RegExp>> = {
  at: /^-(?:l|r|d|c|V)/,
  batch: /^-V/,
  crontab: /^-l/,
};

function opaque(why: string, may: readonly string[] = []): Wrapped {
  return { inner: [{ type: 'opaque', why, may }], transparent: false };
}

const tmux: OptionTable = { stops: true, values: '-L -S -f -c -T' };
const screen: OptionTable = { stops: true, values: '-S -c -e -h -p -s -t -T -X' };

const looking =
  /^(?:ls|lsw|lsp|lsc|lsk|lscm|lsb|list-.*|info|has(?:-session)?|show-.*|capturep|capture-pane|attach(?:-session)?|a|kill-.*|kill[wp]|detach.*|select.*|rename.*)$/;

/** What tmux starts runs in a server of its own, and what it types runs in any window. */
function unwrapTmux(args: readonly ShellWord[]): Wrapped | undefined {
  const commands = split(readArguments(args, tmux).operands);
  const risky = commands.filter(([first]) => first !== undefined && !looking.test(plainText(first) ?? ''));
  const shell = args.some((word) => plainText(word) === '-c');
  if (risky.length === 0 && !shell) return undefined;
  return opaque('tmux runs it in another shell', [...risky, args].map(typed));
}

/** `;` as a word of its own separates commands of tmux. */
function split(words: readonly ShellWord[]): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  for (const word of words) {
    if (plainText(word) === ';') commands.push([]);
    else commands.at(-1)!.push(word);
  }
  return commands;
}

const typing: OptionTable = { values: '-c -e -F -n -s -t -x -y -l -N -T -h' };

/** The text of a command's last words, keys such as `Enter` left out. */
function typed(words: readonly ShellWord[]): string {
  const { operands } = readArguments(words.slice(1), typing);
  const texts = operands.map((word) => plainText(word) ?? word.raw);
  return texts.filter((text) => !/^(?:Enter|C-.|M-.|Escape|Space|Tab)$/.test(text)).join(' ');
}

function unwrapScreen(args: readonly ShellWord[]): Wrapped | undefined {
  if (args.some((word) => /^-(?:ls|list|wipe|v)/.test(plainText(word) ?? ''))) return undefined;
  const { operands } = readArguments(args, screen);
  const inner: Inner[] = operands.length === 0 ? [] : [joined(operands)];
  return { inner: [{ type: 'opaque', why: 'screen runs it in another shell' }, ...inner], transparent: false };
}
