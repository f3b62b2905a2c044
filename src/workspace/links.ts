import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { ToolError } from '../base/error.ts';

/** As many as Linux follows in one path (path_resolution(7)). */
const maxLinks = 40;

/** Replaces a name in a folder by the spelling under which the folder lists it. */
export type Spelling = (folder: string, name: string) => string;

/**
 * Where `steps` below `start` really lead: every symbolic link on the way is resolved as the system would, dangling
 * ones too, so that a name that does not exist yet is judged by its real place. Nothing is opened.
 *
 * @param start a folder whose own path holds no links
 * @param text the path as it was asked for, for the error
 */
export function followLinks(start: string, steps: readonly string[], text: string, spelling?: Spelling): string {
  let links = 0;
  let done = start;
  // A stack with the next step on top: linear however long the path is.
  const pending = [...steps].reverse();
  while (pending.length > 0) {
    const step = pending.pop()!;
    if (step === '..') {
      // Only link targets hold these; `done` is free of links, so this is the physical parent.
      done = dirname(done);
      continue;
    }
    const target = linkTarget(join(done, step));
    if (target === undefined) {
      done = join(done, spelling?.(done, step) ?? step);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw tooManyLinks(text);
    if (isAbsolute(target)) done = parse(target).root;
    pending.push(...stepsOf(target.slice(isAbsolute(target) ? done.length : 0)).reverse());
  }
  return done;
}

/** The names in a path without root, `.` and doubled separators; `..` is kept. */
export function stepsOf(path: string): string[] {
  const parts = sep === '/' ? path.split('/') : path.split(/[\\/]/);
  return parts.filter((part) => part !== '' && part !== '.');
}

function linkTarget(path: string): string | undefined {
  try {
    // Looking first is cheaper than the error that reading no link ends in, and nearly everything is no link.
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    return readlinkSync(path);
  } catch {
    // EINVAL: there, but no link. ENOENT, ENOTDIR: not there (yet). Anything else is told when the file is opened,
    // which happens without following links.
    return undefined;
  }
}

function tooManyLinks(text: string): ToolError {
  return new ToolError('conflict', `${text} goes through more than ${maxLinks} symbolic links, or through a loop.`);
}
