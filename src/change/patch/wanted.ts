import type { PatchedText } from './codec.ts';
import { type Eol, type Hunk, type HunkLine, oldLines } from './model.ts';

/** What a hunk must find in a file, in the file's own bytes. */
export interface Wanted {
  readonly olds: readonly WantedLine[];
  /** Index (from 0) of the line where the header says it is; undefined for a bare `@@`. */
  readonly stated?: number;
  /** True when a line may end in LF or CRLF alike: the hunk itself has one kind only, so it changes no ends. */
  readonly anyEnd: boolean;
  /** True when the hunk's new text ends the file without a newline. */
  readonly reachesEnd: boolean;
}

export interface WantedLine {
  /** Undefined when no file in this encoding can hold the text. */
  readonly bytes: Buffer | undefined;
  /** The bytes without the byte order mark that the patch shows in front, to compare with the file's first line. */
  readonly bytesBehindBom?: Buffer | undefined;
  readonly eol: Eol;
}

export const bomChar = '\ufeff';

export function wantedOf(hunk: Hunk, text: PatchedText): Wanted {
  const olds = oldLines(hunk);
  const news = hunk.lines.filter(({ kind }) => kind !== 'remove');
  return {
    olds: olds.map((line, at) => wantedLine(line, text, at === 0)),
    ...(hunk.start === undefined ? {} : { stated: statedIndex(hunk.start, olds.length) }),
    anyEnd: new Set(hunk.lines.map(({ eol }) => eol).filter(Boolean)).size <= 1,
    reachesEnd: news.at(-1)?.eol === '',
  };
}

/** True when the hunk shows the file's byte order mark as part of its first line. */
export function showsBom(hunk: Hunk, text: PatchedText): boolean {
  return text.lines.bom > 0 && (oldLines(hunk)[0]?.text.startsWith(bomChar) ?? false);
}

/** A range of old lines names its first; an empty range names the line after which it stands. */
function statedIndex(start: number, count: number): number {
  return count === 0 ? start : Math.max(0, start - 1);
}

function wantedLine({ text, eol }: HunkLine, patched: PatchedText, first: boolean): WantedLine {
  const bytes = patched.find(text);
  const behindBom = first && patched.lines.bom > 0 && text.startsWith(bomChar);
  return behindBom ? { bytes, bytesBehindBom: patched.find(text.slice(1)), eol } : { bytes, eol };
}
