import { ToolError } from '../../base/error.ts';
import { quote } from './text.ts';

/** How the plain sections of one patch spell names, as far as any of them shows it. */
export type Spelling = 'prefixed' | 'plain' | 'unknown';

/** The file a pair of names means: the likely reading, and the other one where only the disk can tell. */
export interface Reading {
  readonly name: string;
  readonly otherName?: string;
  /** See `PatchFile`. */
  readonly asWritten?: readonly [string, string];
}

/** What the pairs of names of a patch's plain sections show: `a/x b/x` means prefixes, `x x` means none. */
export function spellingOf(pairs: Iterable<readonly [string | undefined, string | undefined]>): Spelling {
  let [prefixed, plain] = [false, false];
  for (const [from, to] of pairs) {
    if (from === undefined || to === undefined) continue;
    if (sharedRest(from, to) !== undefined) prefixed = true;
    else if (from === to && !hasPrefix(from)) plain = true;
  }
  return prefixed === plain ? 'unknown' : prefixed ? 'prefixed' : 'plain';
}

/**
 * The file that a plain section means. `a/` and `b/` are prefixes when both sides carry them; with one side only
 * (`/dev/null` on the other), the rest of the patch or the file that exists decides.
 */
export function readPlainNames(
  from: string | undefined,
  to: string | undefined,
  spelling: Spelling,
  line: number,
): Reading {
  if (from !== undefined && to !== undefined) return readPair(from, to, spelling, line);
  const name = (from ?? to)!;
  if (!hasPrefix(name) || spelling === 'plain') return { name };
  // Nothing of that name need exist where a file is created: the customary reading holds.
  const certain = spelling === 'prefixed' || from === undefined;
  return { name: name.slice(2), ...(certain ? {} : { otherName: name }) };
}

function readPair(from: string, to: string, spelling: Spelling, line: number): Reading {
  const rest = sharedRest(from, to);
  if (rest !== undefined) return { name: rest };
  if (from !== to) return behindFolders(from, to) ?? differ(from, to, line);
  return { name: from, ...(hasPrefix(from) && spelling !== 'plain' ? { otherName: from.slice(2) } : {}) };
}

/**
 * The file that a `diff --git` section means, undefined when its names mean two; the prefixes are one letter each
 * (`a/ b/`, `i/ w/`, …), a word, or none.
 */
export function readGitNames(from: string, to: string): Reading | undefined {
  if (from === to) return { name: from };
  const oneLetter = from[1] === '/' && to[1] === '/' && from[0] !== '/' && to[0] !== '/';
  if (oneLetter && from.slice(2) === to.slice(2)) return { name: from.slice(2) };
  return behindFolders(from, to);
}

/** `old/x new/x`: as `diff -r old new` spells the file `x`. */
function behindFolders(from: string, to: string): Reading | undefined {
  const rest = behindFirst(from);
  return rest === undefined || rest !== behindFirst(to) ? undefined : { name: rest, asWritten: [from, to] };
}

/** The name without its first folder; undefined when it has none. */
export function behindFirst(name: string): string | undefined {
  const slash = name.indexOf('/');
  return slash > 0 && slash < name.length - 1 ? name.slice(slash + 1) : undefined;
}

function hasPrefix(name: string): boolean {
  return name.startsWith('a/') || name.startsWith('b/');
}

function sharedRest(from: string, to: string): string | undefined {
  return hasPrefix(from) && hasPrefix(to) && from !== to && from.slice(2) === to.slice(2) ? from.slice(2) : undefined;
}

/** Throws the error for a section whose names differ though it is no rename. */
export function differ(from: string, to: string, line: number): never {
  throw new ToolError(
    'invalid',
    `The section on line ${line} of the patch modifies ${quote(from, 200)} as ${quote(to, 200)}: the names differ, but it is not marked as a rename. ` +
      'Use the same name on both sides, or a "diff --git" section with "rename from" and "rename to" lines.',
  );
}
