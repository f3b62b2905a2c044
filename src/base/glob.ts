import { accepts, type ProgramBuilder, programBuilder } from './automaton.ts';
import { expandBraces } from './braces.ts';
import { readBracket } from './bracket.ts';
import { ToolError } from './error.ts';

/** A compiled path pattern of a tool call. Paths have `/` separators and no leading `./`. */
export interface Glob {
  matches(path: string): boolean;
  /** The folder that every match lies in, from the pattern's literal start: `src/app` for `src/app/*.ts`; `.` for none. */
  readonly base: string;
  /** Every match ends with one of these; `['']` when nothing is known. */
  readonly endings: readonly string[];
}

const longest = 4096;

/**
 * Compiles a glob as users of such tools expect: `*` and `?` stay within a name (dot files too), `**` crosses folders,
 * `{a,b}` lists alternatives, `[a-z]` is one of a set, `\` escapes. Brackets also match themselves, so that
 * `app/[id]/*.tsx` finds the folder `[id]`. A trailing `/` means everything below; a leading `!` turns the pattern round.
 *
 * Matching takes time proportional to pattern × path, whatever the pattern. Throws `invalid` when it is too long or
 * stands for too many alternatives.
 *
 * @param options.anyDepth a pattern without a slash matches the name at any depth, as `*.go` in grep's `--include`
 */
export function compileGlob(pattern: string, options: { readonly anyDepth?: boolean } = {}): Glob {
  if (pattern.length > longest) {
    throw new ToolError('invalid', `The glob is ${pattern.length} characters long, at most ${longest} are read.`);
  }
  if (pattern.startsWith('!') && pattern.length > 1) {
    const inner = compileGlob(pattern.slice(1), options);
    return { matches: (path) => !inner.matches(path), base: '.', endings: [''] };
  }
  const plain = expandBraces(pattern).map((one) => normalize(one, options.anyDepth ?? false));
  const matchers = plain.map(compileOne);
  return {
    matches: (path) => matchers.some((matches) => matches(path)),
    base: commonFolder(plain.map(literalFolder)),
    endings: [...new Set(plain.map(literalEnding))],
  };
}

function normalize(pattern: string, anyDepth: boolean): string {
  let plain = pattern.replace(/^(?:\.\/+)+/, '').replace(/\/{2,}/g, '/');
  if (plain.endsWith('/')) plain += '**';
  return anyDepth && !plain.includes('/') && plain !== '' ? `**/${plain}` : plain;
}

function compileOne(pattern: string): (path: string) => boolean {
  const folder = literalFolder(pattern);
  const prefix = folder === '.' ? '' : `${folder}/`;
  const ending = literalEnding(pattern);
  const simple = simpleMatch(pattern.slice(prefix.length), ending);
  if (simple !== undefined) return (path) => path.startsWith(prefix) && path.endsWith(ending) && simple(path, prefix);
  const builder = programBuilder();
  writePattern(builder, pattern);
  const program = builder.done();
  return (path) => path.startsWith(prefix) && path.endsWith(ending) && accepts(program, path);
}

/** The two commonest shapes need no automaton: `**​/*END` and `*END`, below a literal folder. */
function simpleMatch(rest: string, ending: string): ((path: string, prefix: string) => boolean) | undefined {
  if (rest === `**/*${ending}`) return (path, prefix) => path.length >= prefix.length + ending.length;
  if (rest === `*${ending}`) {
    return (path, prefix) => path.length >= prefix.length + ending.length && path.indexOf('/', prefix.length) < 0;
  }
  if (rest === '**') return () => true;
  return undefined;
}

const special = /[*?[\\]/;

/** The literal folders a pattern begins with, `.` for none. */
function literalFolder(pattern: string): string {
  const first = pattern.search(special);
  const end = pattern.lastIndexOf('/', first < 0 ? pattern.length : first);
  return end <= 0 ? '.' : pattern.slice(0, end);
}

/** The literal text a pattern ends with, within its last name. */
function literalEnding(pattern: string): string {
  const from = Math.max(
    pattern.lastIndexOf('*'),
    pattern.lastIndexOf('?'),
    pattern.lastIndexOf(']'),
    pattern.lastIndexOf('/'),
  );
  return pattern.includes('\\') || (pattern.includes('[') && pattern.lastIndexOf('[') > from)
    ? ''
    : pattern.slice(from + 1);
}

function commonFolder(folders: readonly string[]): string {
  const [first, ...others] = folders.map((folder) => (folder === '.' ? [] : folder.split('/')));
  let length = first?.length ?? 0;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first![same]) same += 1;
    length = same;
  }
  return length === 0 ? '.' : first!.slice(0, length).join('/');
}

const anything = () => true;
const noSlash = (code: number) => code !== 0x2f;

function writePattern(builder: ProgramBuilder, pattern: string): void {
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]!;
    const opens = at === 0 || pattern[at - 1] === '/';
    if (opens && pattern.startsWith('**/', at)) {
      builder.maybe(() => {
        builder.many(anything);
        builder.text('/');
      });
      at += 3;
    } else if (opens && pattern.slice(at) === '**') {
      builder.many(anything);
      at += 2;
    } else if (char === '*') {
      builder.many(noSlash);
      while (pattern[at] === '*') at += 1;
    } else if (char === '?') {
      builder.one(noSlash);
      at += 1;
    } else if (char === '[') at = writeBracket(builder, pattern, at);
    else {
      const escaped = char === '\\' && at + 1 < pattern.length;
      const literal = String.fromCodePoint(pattern.codePointAt(escaped ? at + 1 : at)!);
      builder.text(literal);
      at += literal.length + (escaped ? 1 : 0);
    }
  }
}

function writeBracket(builder: ProgramBuilder, pattern: string, at: number): number {
  const bracket = readBracket(pattern, at);
  if (bracket === undefined) {
    builder.text('[');
    return at + 1;
  }
  builder.either(
    () => builder.one((code) => bracket.takes(code) && noSlash(code)),
    () => builder.text(pattern.slice(at, bracket.end)),
  );
  return bracket.end;
}
