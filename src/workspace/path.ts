import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import { followLinks, type Spelling, stepsOf } from './links.ts';
import { foldName, foldsNames, trueName } from './spelling.ts';
import { windowsNameProblem } from './windows-name.ts';

declare const jailed: unique symbol;

/**
 * A path inside the workspace (or one of its read-only mounts). Only `resolvePath` makes one, so whoever holds a
 * `FilePath` holds something that was checked: symbolic links on its longest existing prefix are resolved, and the
 * real place lies inside.
 */
export interface FilePath {
  /** The real place, links resolved; where names fold, as the folder lists them. */
  readonly abs: string;
  /** `abs` relative to the root, with `/`; the root itself is `.`. In a mount, the mount's name stands in front. */
  readonly rel: string;
  /** The path as it was asked for, lexically cleaned, spelled like `rel`; differs from it behind links. */
  readonly given: string;
  /** The name of the read-only mount it lies in (`@output`), or undefined in the workspace itself. */
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

/** A folder a path may lie in. */
export interface Root {
  /** The folder, all links resolved. */
  readonly real: string;
  /** The folder as the user gave it, made absolute; absolute paths may begin with either. */
  readonly spelled: string;
  /** True where the file system takes differently spelled names for one (letter case, Unicode composition). */
  readonly folds: boolean;
  /** Set for a read-only root: the name that paths into it begin with. */
  readonly mount?: string;
}

const maxPathBytes = 4096;

/** Opens a folder as a root. Throws `missing` or `conflict` when it is no folder. */
export function openRoot(directory: string, mount?: string): Root {
  const spelled = resolve(directory);
  try {
    const real = realpathSync.native(spelled);
    if (!statSync(real).isDirectory()) throw new ToolError('conflict', `${spelled} is not a directory.`);
    return { real, spelled, folds: foldsNames(real), ...(mount === undefined ? {} : { mount }) };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new ToolError('missing', `The workspace folder ${spelled} does not exist.`);
    if (code === 'ELOOP') throw new ToolError('conflict', `${spelled} is a loop of symbolic links.`);
    throw error;
  }
}

/**
 * The jail. Checks the text of a path, then where it really leads; throws `invalid` for text that is no path and
 * `outside` for a path that leaves the root. The path need not exist, and nothing is opened.
 */
export function resolvePath(root: Root, text: string, style: PathStyle): FilePath {
  refuseBadText(text);
  const lexical = lexicalPath(root, text, style);
  const given = stepsBelow(root, root.real, lexical) ?? stepsBelow(root, root.spelled, lexical);
  if (given === undefined) throw outside(text);
  if (process.platform === 'win32') refuseWindowsNames(given);
  const spelling: Spelling | undefined = root.folds ? trueName : undefined;
  const abs = followLinks(root.real, given, text, spelling);
  const real = stepsBelow(root, root.real, abs);
  if (real === undefined) throw outside(text);
  return {
    abs,
    rel: relOf(root, real),
    given: relOf(root, given),
    ...(root.mount === undefined ? {} : { mount: root.mount }),
  } as FilePath;
}

function refuseBadText(text: string): void {
  if (text.trim() === '') throw new ToolError('invalid', 'path is required: send the path of a file.');
  const size = Buffer.byteLength(text);
  if (size > maxPathBytes) throw new ToolError('invalid', `path is too long: ${size} bytes, at most ${maxPathBytes}.`);
  if (text.includes('\0')) throw new ToolError('invalid', 'path holds a NUL character, which no file name can.');
  if (/\p{Surrogate}/u.test(text)) throw new ToolError('invalid', 'path holds half a surrogate pair: not valid text.');
}

function refuseWindowsNames(steps: readonly string[]): void {
  for (const step of steps) {
    const problem = windowsNameProblem(step);
    if (problem !== undefined) throw new ToolError('invalid', `path can't be used: ${problem}.`);
  }
}

/** The path made absolute and free of `.` and `..`, before any link is looked at. */
function lexicalPath(root: Root, text: string, style: PathStyle): string {
  if (!isAbsolute(text)) {
    if (style !== 'absolute') return resolve(root.real, text);
    throw new ToolError(
      'invalid',
      `path must be absolute, got "${text}". Put the workspace root in front: ${join(root.spelled, text)}`,
    );
  }
  return style === 'rooted' ? resolve(root.real, `.${sep}${text}`) : resolve(text);
}

/**
 * The names that lead from `base` to `abs`, or undefined when it lies elsewhere. Compared name by name: a sibling
 * folder whose name begins like the root's is elsewhere, and `..foo` is a name like any other.
 */
function stepsBelow(root: Root, base: string, abs: string): string[] | undefined {
  if (abs.startsWith(base) && abs[base.length] === sep) return stepsOf(abs.slice(base.length));
  const start = stepsOf(base);
  const steps = stepsOf(abs);
  return start.every((name, at) => sameName(root, name, steps[at])) ? steps.slice(start.length) : undefined;
}

function sameName(root: Root, one: string, other: string | undefined): boolean {
  if (one === other) return true;
  return root.folds && other !== undefined && foldName(one) === foldName(other);
}

function relOf(root: Root, steps: readonly string[]): string {
  const parts = root.mount === undefined ? steps : [root.mount, ...steps];
  return parts.length === 0 ? '.' : parts.join('/');
}

function outside(text: string): ToolError {
  return new ToolError('outside', `path is outside the workspace: ${text}`);
}
