import { compileWildmatch } from '../base/wildmatch.ts';

/** The rules of one ignore file. */
export interface IgnoreRules {
  /**
   * What the file says of an entry: true ignored, false expressly not ignored, undefined nothing. The last rule that
   * fits decides. Paths are byte strings (`toByteString`) relative to the file's folder.
   */
  verdict(path: string, name: string, directory: boolean): boolean | undefined;
}

/**
 * Reads an ignore file as git does (dir.c): LF or CRLF, an optional byte-order mark, `#` comments, `!` negation, a
 * trailing `/` for folders only, a `/` elsewhere anchors, blanks at the end don't count unless escaped.
 *
 * @param options.fold ASCII letters match in either case, as where git's core.ignoreCase is set
 */
export function parseIgnoreFile(bytes: Uint8Array, options: { readonly fold?: boolean } = {}): IgnoreRules {
  return ignoreRules(Buffer.from(bytes).toString('latin1'), options.fold ?? false);
}

interface Rule {
  readonly order: number;
  readonly ignores: boolean;
  readonly directoriesOnly: boolean;
}

interface MatchingRule extends Rule {
  readonly matches: (path: string, name: string) => boolean;
}

function ignoreRules(text: string, fold: boolean): IgnoreRules {
  // Plain names are the bulk of most files: they are looked up, the rest is tried from the last to the first.
  const names = new Map<string, Rule[]>();
  const others: MatchingRule[] = [];
  linesOf(text).forEach((line, order) => {
    const rule = parseLine(line, order, fold);
    if (rule === undefined) return;
    if ('plainName' in rule) names.set(rule.plainName, [rule, ...(names.get(rule.plainName) ?? [])]);
    else others.unshift(rule);
  });
  return {
    verdict(path, name, directory) {
      const fits = (rule: Rule) => directory || !rule.directoriesOnly;
      const named = names.get(fold ? foldAscii(name) : name)?.find(fits);
      const other = others.find((rule) => fits(rule) && rule.order > (named?.order ?? -1) && rule.matches(path, name));
      return (other ?? named)?.ignores;
    },
  };
}

function linesOf(text: string): string[] {
  const start = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  return text
    .slice(start)
    .split('\n')
    .map((line) => untilNul(line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** git reads lines as C strings. */
function untilNul(line: string): string {
  const nul = line.indexOf('\0');
  return nul < 0 ? line : line.slice(0, nul);
}

function parseLine(
  line: string,
  order: number,
  fold: boolean,
): MatchingRule | (Rule & { plainName: string }) | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  let pattern = trimBlanks(line);
  const ignores = !pattern.startsWith('!');
  if (!ignores) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith('/');
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const rule = { order, ignores, directoriesOnly };
  if (pattern.includes('/')) return { ...rule, matches: pathMatcher(pattern, fold) };
  const literal = literalLength(pattern);
  if (literal === pattern.length) return { ...rule, plainName: fold ? foldAscii(pattern) : pattern };
  return { ...rule, matches: nameMatcher(pattern, fold) };
}

/** Cuts blanks off the end, up to one that a backslash protects. */
function trimBlanks(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') {
      at += 1;
      // A backslash in last place: git leaves the line alone.
      if (at >= line.length) return line;
      end = at + 1;
    } else if (line[at] !== ' ') end = at + 1;
  }
  return line.slice(0, end);
}

const special = /[*?[\\]/;

function literalLength(pattern: string): number {
  const at = pattern.search(special);
  return at < 0 ? pattern.length : at;
}

function nameMatcher(pattern: string, fold: boolean): MatchingRule['matches'] {
  const rest = pattern.slice(1);
  if (pattern.startsWith('*') && literalLength(rest) === rest.length && !fold) return (_, name) => name.endsWith(rest);
  const matches = compileWildmatch(pattern, { pathname: false, fold });
  return (_, name) => matches(name);
}

/**
 * A pattern with a slash. Its literal start is compared by itself, and only what follows goes through wildmatch, which
 * therefore takes a `**` behind literal text for the start of a pattern: `foo**​/bar` matches `foobar`. So does git.
 */
function pathMatcher(anchored: string, fold: boolean): MatchingRule['matches'] {
  const pattern = anchored.startsWith('/') ? anchored.slice(1) : anchored;
  const length = literalLength(pattern);
  const start = fold ? foldAscii(pattern.slice(0, length)) : pattern.slice(0, length);
  const rest = pattern.slice(length);
  const matches = rest === '' ? (text: string) => text === '' : compileWildmatch(rest, { pathname: true, fold });
  return (path) => (fold ? foldAscii(path) : path).startsWith(start) && matches(path.slice(length));
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
