import { builtins } from './builtins.ts';
import { addGit } from './git-effects.ts';
import { consoles, editors, interpreters, networkers } from './interpreters.ts';
import { addKnown } from './known.ts';
import { byLine, byWord, doubtCommand, inNature, type Line, type PlainCommand } from './line.ts';
import { addNetwork, hostOf } from './network.ts';
import { type OptionTable, optionNames, readArguments } from './options.ts';
import { programs } from './programs.ts';
import { specials } from './special.ts';
import { addSuspects, addSuspectWord } from './suspect.ts';
import { subcommandOf } from './synonyms.ts';
import { addFile, addLook } from './touch.ts';
import { isOpenHandle, maybeOption, plainText, plainWord, type ShellWord, spell, startOf } from './word.ts';

/** Adds what a command does by itself: the files it touches, the network, and what is not understood of it. */
export function addProgram(line: Line, command: PlainCommand): void {
  const name = command.name!;
  if (networkers.has(name)) addNetwork(line, command, hostOf(command.args));
  if (/^(?:npm|pnpm|yarn)$/.test(name) && command.args.some(steersScripts))
    doubtCommand(line, command, `${name} is told which shell or program runs its scripts`);
  const special = Object.hasOwn(ownForm, name) ? ownForm[name] : undefined;
  const code = interpreterCode(name);
  if (special !== undefined) special(line, command);
  else if (code !== undefined) addInterpreter(line, command, code);
  else if (Object.hasOwn(programs, name)) addKnown(line, command, programs[name]!);
  else addSuspects(line, command);
}

function steersScripts(word: ShellWord, at: number, args: readonly ShellWord[]): boolean {
  if (/^--(?:script-shell|node-options|shell|git|editor|viewer)\b/.test(startOf(word))) return true;
  return (
    at === 0 &&
    /^(?:config|c|set)$/.test(subcommandOf('npm', startOf(word))) &&
    !/^(?:get|list|ls)$/.test(startOf(args[1] ?? word))
  );
}

/** Is it told what the program does with its arguments? */
export function isKnown(name: string): boolean {
  return Object.hasOwn(ownForm, name) || Object.hasOwn(programs, name) || interpreterCode(name) !== undefined;
}

const ownForm: typeof specials = { ...specials, ...builtins, git: addGit, find: addFind };

/** The options of an interpreter that take code; a version behind its name does not matter. */
function interpreterCode(name: string): string | undefined {
  const language = /^(.*?)[\d.]*$/.exec(name)?.[1] ?? name;
  const key = [name, language].find((candidate) => Object.hasOwn(interpreters, candidate));
  return key === undefined ? undefined : interpreters[key];
}

const codeTables = new Map<string, OptionTable>();

/** Single letters of code options take the code as their value, so that `-ec` and `-e code` are told apart. */
function codeTable(code: string): OptionTable {
  let table = codeTables.get(code);
  if (table === undefined) {
    const runs = optionNames(code).map((name) => (name.length > 2 && !name.startsWith('--') ? name : `${name}=`));
    table = { runs: runs.join(' '), values: '-m -W -X -I', stops: true };
    codeTables.set(code, table);
  }
  return table;
}

function addInterpreter(line: Line, command: PlainCommand, code: string): void {
  const read = readArguments(command.args, codeTable(code));
  const names = optionNames(code);
  const text = spell(plainWord(command.name!));
  if (read.options.some((option) => names.includes(option.name)))
    doubtCommand(line, command, `${text} is given code to run`);
  if (editors.has(command.name!)) addEditor(line, command, read.operands);
  if (read.options.some(({ name }) => name === '-n' || name === '-p') && /^(?:perl|ruby)/.test(command.name!)) {
    for (const word of read.operands) addFile(line, 'read', word, command.folders, inNature(command));
  }
  const dotted = consoles.has(command.name!) && read.operands.slice(1).some((word) => /^[.\\!]/.test(startOf(word)));
  if (dotted || (consoles.has(command.name!) && command.input !== undefined))
    doubtCommand(line, command, `${text} may be told to run programs`);
  const script = read.operands[0];
  if (script === undefined || plainText(script) === '-' || isOpenHandle(script)) {
    const asks = read.options.some(({ name }) => /^--?(?:version|help|V|h|v|m|test)$/.test(name));
    if (!asks) doubtCommand(line, command, `${text} takes code from its input`);
    return;
  }
  const module = read.options.some(({ name }) => name === '-m');
  if (script.kind !== 'plain' && !module && !editors.has(command.name!))
    doubtCommand(line, command, `which script ${text} runs is known only when it runs`);
  if (['eval', 'repl'].includes(plainText(script) ?? '')) doubtCommand(line, command, `${text} is given code to run`);
  for (const word of command.args) addSuspectWord(line, command, word);
}

function addEditor(line: Line, command: PlainCommand, files: readonly ShellWord[]): void {
  for (const word of files) {
    if (!startOf(word).startsWith('+')) addFile(line, 'read', word, command.folders, inNature(command));
    else if (!/^\+\d*$/.test(startOf(word))) doubtCommand(line, command, `${command.name} ${word.raw} may run code`);
  }
}

/** `find` names files; with `-delete` and its like it does more. */
function addFind(line: Line, command: PlainCommand): void {
  const { args, folders } = command;
  const expression = args.findIndex((word) => /^[-(!]/.test(startOf(word)) && !/^-[HLPDO]/.test(startOf(word)));
  const starts = (expression < 0 ? args : args.slice(0, expression)).filter((word) => !maybeOption(word));
  const roots = starts.length > 0 ? starts : [plainWord('.')];
  for (const word of roots) addLook(line, word, folders);
  args.forEach((word, at) => {
    const text = plainText(word) ?? '';
    const next = args[at + 1];
    if (text === '-delete') for (const root of roots) addFile(line, 'delete', root, folders, byWord(command, text));
    if (/^-(?:fprint0?|fprintf|fls)$/.test(text) && next !== undefined) addFile(line, 'write', next, folders, byLine);
    if (text === '-files0-from' && next !== undefined) addFile(line, 'read', next, folders, byLine);
    if (word.kind === 'open' && maybeOption(word))
      doubtCommand(line, command, 'an argument of find is known only when it runs');
  });
}
