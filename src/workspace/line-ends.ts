import { regexParts } from './regex-parts.ts';

/** The pattern of a search across lines, with `\n` standing for either kind of line end, as in edits. */
export function withEitherLineEnd(pattern: string): string {
  const spaced = /\(\?[a-zA-Z]*x/.test(pattern);
  return regexParts(pattern)
    .map(({ text, stands }) => (stands === '\n' && (text !== '\n' || !spaced) ? '(?:\\r?\\n)' : text))
    .join('');
}
