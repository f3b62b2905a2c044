import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';

declare const jailed: unique symbol;

/**
 * A path inside the workspace (or one of its read-only mounts). Only `resolvePath` makes one, so whoever holds a
 * `FilePath` holds something that was checked: symbolic links on its longest existing prefix are resolved, and the
 * real place lies inside.
 */
export interface FilePath {
  /** The real place, links resolved. */
  readonly abs: string;
  /** `abs` relative to the root, with `/`; the root itself is `.`. */
  readonly rel: string;
  /** The path as it was asked for, lexically cleaned, relative to the root; differs from `rel` behind links. */
  readonly given: string;
  /** The name of the read-only mount it lies in (`@output/…`), or undefined in the workspace itself. */
  readonly mount?: string;
  readonly [jailed]: true;
}

/**
 * How a dialect spells paths.
 *
 * - `relative`: relative to the root, or absolute when inside it (`shiro`, `native`)
 * - `rooted`: an absolute path is joined under the root (`udiff`)
 * - `absolute`: absolute only (`rousseau`)
 */
export type PathStyle = 'relative' | 'rooted' | 'absolute';

/** A folder a path may lie in. `real` has all links resolved; `spelled` is as the user gave it. */
export interface Root {
  readonly real: string;
  readonly spelled: string;
  readonly mount?: string;
}

const maxPathBytes = 4096;
const maxLinks = 40;

export function openRoot(directory: string, mount?: string): Root {
  const spelled = resolve(directory);
  try {
    const real = realpathSync.native(spelled);
    if (!lstatSync(real).isDirectory()) throw new ToolError('conflict', `${spelled} is not a directory.`);
    return mount === undefined ? { real, spelled } : { real, spelled, mount };
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw new ToolError('missing', `The workspace folder ${spelled} does not exist.`);
    throw error;
  }
}

/**
 * The jail. Checks the text of a path, then where it really leads; throws `invalid` for text that is no path and
 * `outside` for a path that leaves the root. The path need not exist.
 */
export function resolvePath(root: Root, text: string, style: PathStyle): FilePath {
  refuseBadText(text);
  const lexical = lexicalPath(root, text, style);
  const given = inside(root.real, lexical);
  if (given === undefined) throw outside(text);
  const abs = followLinks(lexical, text);
  const rel = inside(root.real, abs);
  if (rel === undefined) throw outside(text);
  const path = { abs, rel, given, ...(root.mount === undefined ? {} : { mount: root.mount }) };
  return path as FilePath;
}

function refuseBadText(text: string): void {
  if (text.trim() === '') throw new ToolError('invalid', 'path is required: send the path of a file.');
  if (Buffer.byteLength(text) > maxPathBytes) {
    throw new ToolError('invalid', `path is too long: ${Buffer.byteLength(text)} bytes, at most ${maxPathBytes}.`);
  }
  if (text.includes('\0')) throw new ToolError('invalid', 'path holds a NUL character, which no file name can.');
}

function lexicalPath(root: Root, text: string, style: PathStyle): string {
  if (!isAbsolute(text)) {
    if (style !== 'absolute') return resolve(root.real, text);
    throw new ToolError(
      'invalid',
      `path must be absolute, got "${text}". Put the workspace root in front: ${join(root.spelled, text)}`,
    );
  }
  if (style === 'rooted') return resolve(root.real, `.${sep}${text}`);
  const spelledRest = inside(root.spelled, resolve(text));
  return spelledRest === undefined ? resolve(text) : resolve(root.real, spelledRest);
}

/** The path of `abs` below `root` with `/` separators, or undefined when it lies elsewhere. */
function inside(root: string, abs: string): string | undefined {
  const rest = relative(root, abs);
  if (rest === '') return '.';
  if (rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest)) return undefined;
  return sep === '/' ? rest : rest.split(sep).join('/');
}

/** Resolves every link on the way, dangling ones too, so that a name that does not exist yet is judged by its real place. */
function followLinks(abs: string, text: string): string {
  let links = 0;
  let done = abs.slice(0, abs.indexOf(sep) + 1);
  const pending = abs.slice(done.length).split(sep).filter(Boolean);
  while (pending.length > 0) {
    const next = join(done, pending.shift()!);
    const target = linkTarget(next);
    if (target === undefined) {
      done = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new ToolError('outside', `${text} goes through more than ${maxLinks} symbolic links.`);
    const to = resolve(done, target);
    done = to.slice(0, to.indexOf(sep) + 1);
    pending.unshift(...to.slice(done.length).split(sep).filter(Boolean));
  }
  return done;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    // EINVAL: there, but no link. ENOENT/ENOTDIR: not there (yet). Anything else is told when the file is opened.
    if (systemCode(error) === 'ELOOP') throw new ToolError('outside', `${path} is a loop of symbolic links.`);
    return undefined;
  }
}

function outside(text: string): ToolError {
  return new ToolError('outside', `path is outside the workspace: ${text}`);
}
