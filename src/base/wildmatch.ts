import { accepts, programBuilder, type Step } from './automaton.ts';
import { readBracket } from './bracket.ts';

/**
 * Compiles a pattern of an ignore file as git's wildmatch understands it (git's wildmatch.c, with `WM_PATHNAME` when
 * `pathname`). Pattern and texts are byte strings: one UTF-16 unit a byte, see `toByteString`.
 *
 * - `?` and `[…]` take one byte, `*` any number, none of them a `/` when `pathname`
 * - `**` as a whole path segment crosses `/`; anywhere else it is a `*`
 * - `\` makes the next byte literal; a pattern that ends in `\` or has an open bracket matches nothing
 */
export function compileWildmatch(
  pattern: string,
  options: { readonly pathname: boolean; readonly fold?: boolean },
): (text: string) => boolean {
  const program = compile(pattern, options.pathname, options.fold ?? false);
  return program === undefined ? () => false : (text) => accepts(program, text);
}

/** A text as bytes of its UTF-8 form, one UTF-16 unit each; git matches bytes, so `?` is not one character. */
export function toByteString(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

const slash = 0x2f;
const anything = () => true;
const noSlash = (code: number) => code !== slash;

function compile(pattern: string, pathname: boolean, fold: boolean): readonly Step[] | undefined {
  const builder = programBuilder(fold);
  const single = pathname ? noSlash : anything;
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]!;
    if (char === '*') {
      const run = starRun(pattern, at);
      at = run.end;
      if (!pathname || !run.segment) builder.many(single);
      else if (pattern[at] === '/') {
        at += 1;
        builder.maybe(() => {
          builder.many(anything);
          builder.text('/');
        });
      } else builder.many(anything);
    } else if (char === '?') {
      builder.one(single);
      at += 1;
    } else if (char === '[') {
      const bracket = readBracket(pattern, at, fold);
      if (bracket === undefined) return undefined;
      builder.one((code) => bracket.takes(code) && single(code));
      at = bracket.end;
    } else {
      const literal = char === '\\' ? pattern[at + 1] : char;
      if (literal === undefined) return undefined;
      builder.text(literal);
      at += char === '\\' ? 2 : 1;
    }
  }
  return builder.done();
}

/** A run of stars; `segment` when it is two or more and fills the place between two slashes. */
function starRun(pattern: string, start: number): { end: number; segment: boolean } {
  let end = start;
  while (pattern[end] === '*') end += 1;
  const opens = start === 0 || pattern[start - 1] === '/';
  const closes = end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end);
  return { end, segment: end - start > 1 && opens && closes };
}
