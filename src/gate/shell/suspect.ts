import { namedFiles } from './files.ts';
import { doubtCommand, type Line, type PlainCommand } from './line.ts';
import { addSuspect } from './touch.ts';
import { plainWord, type ShellWord, startOf } from './word.ts';

const maxSuspects = 200;

/** A program that is not known: every word of it may be a file that it reads. */
export function addSuspects(line: Line, command: PlainCommand): void {
  for (const word of command.args.slice(0, maxSuspects)) addSuspectWord(line, command, word);
  if (command.args.length > maxSuspects) doubtCommand(line, command, 'it has more arguments than can be checked');
}

/** Every way in which a word may name a file: itself, behind `=`, `@` or `:`, joined to an option. */
export function addSuspectWord(line: Line, command: PlainCommand, word: ShellWord): void {
  if (word.kind === 'glob') {
    for (const file of namedFiles(line.context.root, word, command.folders)) {
      if (file.where !== 'unknown') addSuspect(line, file, command.text);
    }
    return;
  }
  const text = startOf(word);
  const pieces = new Set([text, ...text.split(/[=@:,<]/), text.replace(/^-+\w/, '')]);
  for (const piece of pieces) {
    if (piece === '' || piece === '.') continue;
    for (const file of namedFiles(line.context.root, plainWord(piece), command.folders)) {
      if (file.where === 'inside' || /^(?:\/|\.\.)/.test(piece)) addSuspect(line, file, command.text);
    }
  }
}
