import { lstatSync } from 'node:fs';
import { namedFiles } from './files.ts';
import type { Folders } from './folder.ts';
import { doubtCommand, type Line, type PlainCommand } from './line.ts';
import { hasSynonyms } from './synonyms.ts';
import { addSuspect } from './touch.ts';
import { plainText, plainWord, type ShellWord, startOf } from './word.ts';

const maxSuspects = 200;

/** A program that is not known: every word of it may be a file that it reads. */
export function addSuspects(line: Line, command: PlainCommand): void {
  const words = hasSynonyms(command.name!) && isWord(command.args[0]) ? command.args.slice(1) : command.args;
  for (const word of words.slice(0, maxSuspects)) addSuspectWord(line, command, word);
  if (command.args.length > maxSuspects) doubtCommand(line, command, 'it has more arguments than can be checked');
}

/** A sub-command is no file, whatever there is of that name. */
function isWord(word: ShellWord | undefined): boolean {
  return /^\w[\w-]*$/.test(plainText(word) ?? '');
}

/** Every way in which a word may name a file: itself, behind `=`, `@` or `:`, joined to an option. */
export function addSuspectWord(line: Line, command: PlainCommand, word: ShellWord): void {
  if (word.kind === 'glob') {
    for (const file of namedFiles(line.context.root, word, command.folders)) {
      if (file.where !== 'unknown') addSuspect(line, file, command.text);
    }
    return;
  }
  if (word.kind === 'open') for (const one of word.may ?? []) addSuspectWord(line, command, one);
  const text = startOf(word);
  const pieces = new Set([text, ...text.split(/[=@:,<]/), text.replace(/^-+\w/, '')]);
  for (const piece of pieces) {
    if (piece === '' || piece === '.' || piece === '--') continue;
    if (isNothing(piece, command.folders)) continue;
    for (const file of namedFiles(line.context.root, plainWord(piece), command.folders)) {
      if (file.where === 'inside' || leadsOut(piece)) addSuspect(line, file, command.text);
    }
  }
}

function leadsOut(piece: string): boolean {
  return piece.startsWith('/') || piece.startsWith('..') || piece.includes('/../');
}

/** No such file is there: the usual argument of a program is a word and no path. */
function isNothing(piece: string, folders: Folders): boolean {
  if (folders === undefined || leadsOut(piece) || piece.includes('.')) return false;
  return folders.every((folder) => lstatSync(`${folder}/${piece}`, { throwIfNoEntry: false }) === undefined);
}
