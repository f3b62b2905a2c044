import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ToolError } from '../../base/error.ts';
import { type FilePath, type Root, resolvePath } from '../../workspace/path.ts';
import type { Folders } from './folder.ts';
import { expandGlob } from './glob.ts';
import type { ShellWord } from './word.ts';

/** A file that a word of a command line names. */
export type NamedFile =
  | { readonly where: 'inside'; readonly path: FilePath }
  | { readonly where: 'outside'; readonly abs: string }
  /** `/dev/null` and its like: nothing is kept. */
  | { readonly where: 'device'; readonly abs: string }
  /** Known only when it runs. */
  | { readonly where: 'unknown'; readonly raw: string }
  /** Outside, and only one of the things that an open word may be. */
  | { readonly where: 'perhaps'; readonly abs: string };

/** Every file a word may name when the command runs in `folders`. */
export function namedFiles(root: Root, word: ShellWord, folders: Folders): readonly NamedFile[] {
  if (isPipe(word)) return [{ where: 'device', abs: '/dev/fd/63' }];
  if (word.kind === 'open' && word.all !== undefined) return word.all.flatMap((one) => namedFiles(root, one, folders));
  if (word.kind === 'open') return [{ where: 'unknown', raw: word.raw }, ...likelyFiles(root, word.may ?? [], folders)];
  if (word.kind === 'plain' && isAbsolute(word.value)) return locate(root, word.value, '/');
  if (folders === undefined) return [{ where: 'unknown', raw: word.raw }];
  return folders.flatMap((folder) => {
    if (word.kind === 'plain') return locate(root, word.value, folder);
    const paths = expandGlob(word, folder);
    return paths === undefined
      ? [{ where: 'unknown' as const, raw: word.raw }]
      : paths.flatMap((path) => locate(root, path, folder));
  });
}

/** `<(…)` alone: what runs inside is judged by itself. */
function isPipe(word: ShellWord): boolean {
  return word.kind === 'open' && /^[<>]\(/.test(word.raw) && word.prefix === '/dev/fd/63';
}

function likelyFiles(root: Root, words: readonly ShellWord[], folders: Folders): readonly NamedFile[] {
  return words.flatMap((word) =>
    namedFiles(root, word, folders).flatMap((file): NamedFile[] => {
      if (file.where === 'inside') return file.path.rel === '.' ? [] : [file];
      return file.where === 'outside' ? [{ where: 'perhaps', abs: file.abs }] : [];
    }),
  );
}

function locate(root: Root, text: string, folder: string): NamedFile[] {
  if (text === '') return [];
  return spellings(text, folder).map((abs): NamedFile => {
    if (harmlessDevice.test(abs)) return { where: 'device', abs };
    try {
      return { where: 'inside', path: resolvePath(root, abs, 'relative') };
    } catch (error) {
      if (error instanceof ToolError && error.code === 'outside') return { where: 'outside', abs };
      return { where: 'unknown', raw: text };
    }
  });
}

const harmlessDevice = /^\/dev\/(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** The kernel leaves a folder behind a link by its real parent, the shell's `cd` by the name: both are looked at. */
function spellings(text: string, folder: string): string[] {
  const lexical = resolve(folder, text);
  if (!/[^./]\/+\.\.(?:\/|$)/.test(text)) return [lexical];
  let at = isAbsolute(text) ? '/' : folder;
  for (const step of text.split('/')) {
    if (step === '' || step === '.') continue;
    at = step === '..' ? dirname(real(at)) : join(at, step);
  }
  return at === lexical ? [lexical] : [lexical, at];
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The word for `source` when it is put into `target`: below it if that is a folder. */
export function placedAt(source: ShellWord, target: ShellWord, folders: Folders): ShellWord {
  if (source.kind !== 'plain' || target.kind !== 'plain' || folders === undefined) return target;
  const isFolder = target.value.endsWith('/') || folders.some((folder) => folderAt(resolve(folder, target.value)));
  if (!isFolder) return target;
  return { kind: 'plain', raw: target.raw, value: join(target.value, basename(source.value)) };
}

export function folderAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
