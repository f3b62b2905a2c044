import type { Cover } from '../deed.ts';
import { type NamedFile, namedFiles } from './files.ts';
import type { Folders } from './folder.ts';
import { byLine, type Line } from './line.ts';
import { addNamed } from './named-deed.ts';
import { addListed } from './read-tree.ts';
import type { ShellWord } from './word.ts';

/** Adds the deeds of touching every file that a word may name. */
export function addFile(
  line: Line,
  kind: 'read' | 'write' | 'delete',
  word: ShellWord,
  folders: Folders,
  cover: Cover,
): void {
  if (word.kind === 'open' && word.all?.some((one) => one.kind === 'open')) {
    for (const one of word.all) addFile(line, kind, one, folders, cover);
  } else if (kind === 'read' && word.kind === 'open' && word.below !== undefined) {
    addListed(line, word.below, folders, cover);
    for (const file of namedFiles(line.context.root, word, folders))
      if (file.where !== 'unknown') addNamed(line, kind, file, cover);
  } else for (const file of namedFiles(line.context.root, word, folders)) addNamed(line, kind, file, cover);
}

/** A place that is only looked at: inside the workspace that is nothing to judge. */
export function addLook(line: Line, word: ShellWord, folders: Folders): void {
  if (word.kind !== 'plain') return;
  for (const file of namedFiles(line.context.root, word, folders))
    if (file.where === 'outside') addNamed(line, 'read', file, byLine);
}

/** A file that a program which is not known may read: a denied one, or one outside, makes the line asked. */
export function addSuspect(line: Line, file: NamedFile, subject: string): void {
  if (file.where === 'outside') addNamed(line, 'read', file, byLine);
  if (file.where !== 'inside' || line.context.readable(file.path)) return;
  const doubt = `it may read ${file.path.given}, whose reading is denied`;
  line.deeds.push({ kind: 'execute', subject, faces: [], doubt });
}
