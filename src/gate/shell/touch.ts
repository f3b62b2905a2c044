import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FilePath, type Root, resolvePath } from '../../workspace/path.ts';
import { type Cover, nameFace, pathDeed } from '../deed.ts';

import { type NamedFile, namedFiles } from './files.ts';
import type { Folders } from './folder.ts';
import { byLine, type Line } from './line.ts';
import type { ShellWord } from './word.ts';

/** Adds the deeds of touching every file that a word may name. */
export function addFile(
  line: Line,
  kind: 'read' | 'write' | 'delete',
  word: ShellWord,
  folders: Folders,
  cover: Cover,
): void {
  for (const file of namedFiles(line.context.root, word, folders)) addNamed(line, kind, file, cover);
}

function addNamed(line: Line, kind: 'read' | 'write' | 'delete', file: NamedFile, cover: Cover): void {
  if (file.where === 'device') return;
  if (file.where === 'inside') {
    line.deeds.push({ ...pathDeed(kind, file.path), cover });
  } else if (file.where === 'perhaps') {
    line.deeds.push({ kind, subject: file.abs, faces: [nameFace(file.abs)], cover });
  } else if (file.where === 'outside') {
    const doubt = `${file.abs} is outside the workspace`;
    line.deeds.push({ kind, subject: file.abs, faces: [nameFace(file.abs)], cover, doubt });
  } else {
    line.deeds.push({
      kind,
      subject: file.raw,
      faces: [],
      cover,
      doubt: `which file ${file.raw} is, is known only when it runs`,
    });
  }
}

/** A place that is only looked at: inside the workspace that is nothing to judge. */
export function addLook(line: Line, word: ShellWord, folders: Folders): void {
  if (word.kind !== 'plain') return;
  for (const file of namedFiles(line.context.root, word, folders))
    if (file.where === 'outside') addNamed(line, 'read', file, byLine);
}

/** Reading all files below: a doubt when one of them is denied, or when there are too many to tell. */
export function addFolder(line: Line, word: ShellWord, folders: Folders, cover: Cover, hidden: boolean): void {
  for (const file of namedFiles(line.context.root, word, folders)) {
    addNamed(line, 'read', file, cover);
    if (file.where !== 'inside') continue;
    const denied = findUnreadable(line, file.path, hidden);
    if (denied !== undefined) {
      const doubt =
        denied === 'many'
          ? 'it reads more files than can be checked'
          : `it would read ${denied}, whose reading is denied`;
      line.deeds.push({ ...pathDeed('read', file.path), cover, doubt });
    }
  }
}

const maxFiles = 20_000;
/** Where others' packages and git's own data lie: nobody keeps secrets there, and they are large. */
const skipped = new Set(['.git', 'node_modules']);

function findUnreadable(line: Line, top: FilePath, hidden: boolean): string | undefined {
  const { root } = line.context;
  const pending = [top.abs];
  let left = maxFiles;
  while (pending.length > 0) {
    const folder = pending.pop()!;
    for (const entry of entriesOf(folder)) {
      left -= 1;
      if (left < 0) return 'many';
      if (!hidden && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) pending.push(path);
      } else if (!isReadable(line, root, path)) return path.slice(root.real.length + 1);
    }
  }
  return undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isReadable(line: Line, root: Root, path: string): boolean {
  try {
    return line.context.readable(resolvePath(root, path, 'relative'));
  } catch {
    // A link that leads out of the workspace is not followed by recursive readers.
    return true;
  }
}

/** A file that a program which is not known may read: a denied one, or one outside, makes the line asked. */
export function addSuspect(line: Line, file: NamedFile, subject: string): void {
  if (file.where === 'outside') addNamed(line, 'read', file, byLine);
  if (file.where !== 'inside' || line.context.readable(file.path)) return;
  const doubt = `it may read ${file.path.given}, whose reading is denied`;
  line.deeds.push({ kind: 'execute', subject, faces: [], doubt });
}
