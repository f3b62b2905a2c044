import type { Cover } from '../deed.ts';
import { placedAt } from './files.ts';
import { byLine, byWord, doubtCommand, inNature, type Line, type PlainCommand } from './line.ts';
import { noteLink } from './links.ts';
import { optionNames, type ReadArguments, readArguments } from './options.ts';
import type { Program } from './programs.ts';
import { addFolder } from './read-tree.ts';
import { readSedScript } from './sed-script.ts';
import { addSuspectWord } from './suspect.ts';
import { addFile, addLook } from './touch.ts';
import { maybeOption, plainText, plainWord, type ShellWord } from './word.ts';

/** Adds the files that a program of the table touches. */
export function addKnown(line: Line, command: PlainCommand, program: Program): void {
  const read = readArguments(command.args, program);
  const has = (cell: string | undefined) => {
    const names = optionNames(cell);
    return read.options.some((option) => names.includes(option.name));
  };
  const cover = inNature(command);
  addOptionFiles(line, command, program, read);
  if (read.unsure && command.args.some(mayTurnOut) && (program.runs ?? program.writes ?? program.edits) !== undefined) {
    doubtCommand(line, command, `an argument of ${command.name} may turn out to be an option`);
  }
  const skip = program.skip !== undefined && !has(program.unless) ? program.skip : 0;
  const skipped = read.operands.slice(0, skip);
  for (const word of skipped) if (word.kind === 'open') addSuspectWord(line, command, { ...word, prefix: '' });
  const operands = [...skipped.filter(isMany), ...read.operands.slice(skip)];
  if (program.script !== undefined) addScripts(line, command, program, read, skip > 0);
  for (const edit of read.options.filter(({ name }) => optionNames(program.edits).includes(name))) {
    for (const word of operands) addFile(line, 'write', word, command.folders, byWord(command, edit.name));
  }
  if (program.use === 'read' && (program.walks || has(program.recursive))) {
    const words = operands.length > 0 || command.input === 'pipe' ? operands : [plainWord('.')];
    const hidden = !program.walks || program.hidden === true || read.options.some(({ name }) => showsHidden.has(name));
    for (const word of words) addFolder(line, word, command.folders, cover, hidden);
    return;
  }
  if (program.use === 'copy' || program.use === 'move' || program.use === 'link') {
    const into = read.options.findLast(({ name }) => optionNames(intoFolder).includes(name))?.value;
    addTransfer(line, command, program.use, operands, into, has('-s --symbolic'));
  } else addOperands(line, command, program, operands, cover);
}

/** Listed names are looked at when they are read, and none of them is an option. */
function mayTurnOut(word: ShellWord): boolean {
  if (word.kind === 'open' && word.all !== undefined) return word.all.some(mayTurnOut);
  return word.kind !== 'plain' && maybeOption(word) && !(word.kind === 'open' && word.below !== undefined);
}

/** The names that xargs adds: the first may be no file, the others are. */
function isMany(word: ShellWord): boolean {
  return word.kind === 'open' && (word.raw === '…' || word.below !== undefined);
}

/** Where the sources of `cp` and its like go when it is said first. */
const intoFolder = '-t --target-directory';

const showsHidden = new Set(['--hidden', '-.', '-u', '--unrestricted', '-uu', '-uuu', '-a', '--all-types']);

function addOptionFiles(line: Line, command: PlainCommand, program: Program, read: ReadArguments): void {
  const runs = new Set(optionNames(program.runs));
  const reads = new Set(optionNames(program.reads));
  const writes = new Set(optionNames(program.writes));
  for (const { name, value } of read.options) {
    if (runs.has(name)) {
      doubtCommand(line, command, `${command.name} ${name} may run code`);
      const text = plainText(value)?.replace(/^exec=/, '');
      if (text !== undefined) line.handedOver.push({ text, command });
    }
    if (value === undefined) continue;
    if (reads.has(name)) addFile(line, 'read', value, command.folders, inNature(command));
    if (writes.has(name)) addFile(line, 'write', value, command.folders, byWord(command, name));
  }
}

function addOperands(
  line: Line,
  command: PlainCommand,
  program: Program,
  operands: readonly ShellWord[],
  cover: Cover,
): void {
  const { folders } = command;
  switch (program.use) {
    case 'none':
      break;
    case 'look':
      for (const word of operands) addLook(line, word, folders);
      break;
    case 'read':
      addReads(line, command, program, operands);
      break;
    case 'write':
    case 'delete':
      for (const word of operands) addFile(line, program.use, word, folders, cover);
      break;
  }
}

/** From all but the last to the last, or all into one folder. */
function addTransfer(
  line: Line,
  command: PlainCommand,
  use: 'copy' | 'move' | 'link',
  operands: readonly ShellWord[],
  into: ShellWord | undefined,
  symbolic: boolean,
): void {
  const { folders } = command;
  const cover = inNature(command);
  const alone = use === 'link' && operands.length === 1;
  const sources = into !== undefined || alone ? operands : operands.slice(0, -1);
  const target = into === undefined ? (alone ? plainWord('./') : operands.at(-1)) : asFolder(into);
  if (target === undefined) return;
  for (const word of sources) {
    const place = placedAt(word, target, folders);
    if (use === 'link') {
      const targets = noteLink(line, word, place, folders, symbolic);
      for (const target of targets) addFile(line, 'read', target, ['/'], cover);
      if (targets.length === 0) addFile(line, 'read', word, folders, cover);
    } else addFolder(line, word, folders, cover, true);
    if (use === 'move') addFile(line, 'delete', word, folders, cover);
    addFile(line, 'write', place, folders, cover);
  }
}

function asFolder(word: ShellWord): ShellWord {
  return word.kind === 'plain' ? { ...word, value: `${word.value}/` } : word;
}

function addReads(line: Line, command: PlainCommand, program: Program, operands: readonly ShellWord[]): void {
  operands.forEach((word, at) => {
    const written = program.writesFrom !== undefined && at >= program.writesFrom;
    if (written) addFile(line, 'write', word, command.folders, byLine);
    else if (plainText(word) !== '-') addFile(line, 'read', word, command.folders, inNature(command));
  });
}

/** Scripts of sed and awk are programs of their own. */
function addScripts(line: Line, command: PlainCommand, program: Program, read: ReadArguments, first: boolean): void {
  const given = read.options.filter(({ name }) => ['-e', '--expression'].includes(name)).map(({ value }) => value);
  const scripts = first ? [read.operands[0], ...given] : given;
  for (const script of scripts) {
    if (script === undefined) continue;
    const text = plainText(script);
    if (text === undefined) doubtCommand(line, command, `the script of ${command.name} is known only when it runs`);
    else if (program.script === 'awk') addAwk(line, command, text);
    else addSed(line, command, text);
  }
}

function addSed(line: Line, command: PlainCommand, script: string): void {
  const effects = readSedScript(script);
  if (effects.doubt !== undefined) doubtCommand(line, command, effects.doubt);
  for (const file of effects.reads) addFile(line, 'read', plainWord(file), command.folders, inNature(command));
  for (const file of effects.writes) addFile(line, 'write', plainWord(file), command.folders, byLine);
  if (effects.writes.length > 0) doubtCommand(line, command, 'its sed script writes files');
}

/**
 * An awk program is taken as harmless only when it has nothing that could run a program or open a file. `>` compares
 * unless something is printed.
 */
function addAwk(line: Line, command: PlainCommand, script: string): void {
  const text = script.replaceAll('||', '');
  const redirects = /print/.test(text) && text.includes('>');
  if (redirects || /system|getline|[@|]|close|ENVIRON|ARGV|fflush|extension/.test(text)) {
    doubtCommand(line, command, 'its awk program may run programs or open files');
  }
}
