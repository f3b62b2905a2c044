import { steersPrograms } from './environment.ts';
import { addKnown } from './known.ts';
import { doubtCommand, inNature, type Line, type PlainCommand } from './line.ts';
import { programs } from './programs.ts';
import type { Special } from './special.ts';
import { addFile, addLook } from './touch.ts';
import { maybeOption, plainText, startOf } from './word.ts';

/** Builtins of the shell that change what the rest of the line means. */
export const builtins: Readonly<Record<string, Special>> = {
  cd: addMove,
  pushd: addMove,
  chdir: addMove,
  source: addSourced,
  '.': addSourced,
  alias: (line, command) =>
    addBuiltin(
      line,
      command,
      command.args.some((word) => startOf(word).includes('=')),
    ),
  enable: (line, command) => addBuiltin(line, command, command.args.length > 0),
  hash: (line, command) => addBuiltin(line, command, command.args.length > 0),
  complete: (line, command) => addBuiltin(line, command, true),
  compgen: (line, command) => addBuiltin(line, command, command.args.length > 0),
  test: addTest,
  '[': addTest,
  let: addSubscripts,
  bind: (line, command) => addBuiltin(line, command, true),
  fc: (line, command) => addBuiltin(line, command, true),
  shopt: (line, command) => addBuiltin(line, command, command.args.length > 0),
  mapfile: addSetter,
  readarray: addSetter,
  read: addSetter,
  printf: addSetter,
  export: addSetter,
  declare: addSetter,
  typeset: addSetter,
  local: addSetter,
  readonly: addSetter,
  unset: addSetter,
  getopts: addSetter,
};

/** Going outside means that what follows looks around there. */
function addMove(line: Line, command: PlainCommand): void {
  for (const word of command.args) if (!maybeOption(word)) addLook(line, word, command.folders);
}

function addSourced(line: Line, command: PlainCommand): void {
  const [file] = command.args;
  if (file !== undefined) addFile(line, 'read', file, command.folders, inNature(command));
  doubtCommand(line, command, `${command.name} runs a file in the shell itself`);
}

function addBuiltin(line: Line, command: PlainCommand, risky: boolean): void {
  if (risky) doubtCommand(line, command, `${command.name} changes what later commands mean`);
}

/** `test -v NAME[…]` computes the subscript. */
function addTest(line: Line, command: PlainCommand): void {
  if (command.args.some((word) => plainText(word) === '-v' || plainText(word) === '-R')) addSubscripts(line, command);
  addKnown(line, command, programs.test!);
}

/** A name with a subscript is computed: `a[$(cmd)]` runs `cmd`, quoted or not. */
function addSubscripts(line: Line, command: PlainCommand): void {
  const named = command.args.find((word) => word.kind !== 'plain' || /^[A-Za-z_]\w*\[/.test(word.value));
  if (named !== undefined && plainText(named) !== ']')
    doubtCommand(line, command, `${command.name} computes ${named.raw}, and bash may run commands in it`);
}

/** The same for a builtin whose other words may be anything. */
function addSubscripted(line: Line, command: PlainCommand): void {
  const named = command.args.find((word) => /^[A-Za-z_]\w*\[/.test(startOf(word)));
  if (named !== undefined)
    doubtCommand(line, command, `${command.name} computes ${named.raw}, and bash may run commands in it`);
}

/** Attributes that make bash evaluate every later value. */
function evaluatesLater(command: PlainCommand): boolean {
  return (
    ['declare', 'typeset', 'local'].includes(command.name!) &&
    command.args.some((word) => /^[-+]\w*[in]/.test(startOf(word)))
  );
}

/** Builtins that set variables by name. */
function addSetter(line: Line, command: PlainCommand): void {
  if (command.name !== 'printf') addSubscripted(line, command);
  if (evaluatesLater(command))
    doubtCommand(line, command, `${command.name} makes a variable whose values are evaluated`);
  const risky = command.args.find((word) => {
    const name = /^[A-Za-z_]\w*/.exec(startOf(word))?.[0];
    return word.kind !== 'plain' ? maybeOption(word) : name !== undefined && steersPrograms(name);
  });
  if (risky !== undefined && command.name !== 'printf')
    doubtCommand(line, command, `${command.name} sets ${risky.raw}, which may change what programs do`);
  if (command.name === 'printf' && command.args.some((word) => startOf(word).startsWith('-v'))) {
    doubtCommand(line, command, 'printf sets a variable');
  }
  if (command.args.some((word) => plainText(word) === '-C' || plainText(word) === '-c'))
    doubtCommand(line, command, `${command.name} may run code`);
}
