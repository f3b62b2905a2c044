/** One logical line of something long; how many terminal lines it takes depends on the width. */
export type RowView = (width: number) => readonly string[];

/** Which rows of a long text are in view. */
export interface Window {
  readonly lines: readonly string[];
  /** Index of the first row in view, moved so that the view is full where there is enough. */
  readonly from: number;
  /** Index behind the last row in view. */
  readonly to: number;
}

/** Rows longer than this many characters are to be split before, so that every part of them can be scrolled to. */
export const longestRow = 400;

/** The rows from `from` on that fit; only these are rendered, so a diff of megabytes costs what a screen does. */
export function windowOf(rows: readonly RowView[], from: number, width: number, height: number): Window {
  const start = Math.max(0, Math.min(from, lastStart(rows, width, height)));
  const lines: string[] = [];
  let to = start;
  for (; to < rows.length; to += 1) {
    const next = rows[to]!(width);
    if (lines.length + next.length > height && to > start) break;
    lines.push(...next);
  }
  return { lines: lines.slice(0, height), from: start, to };
}

/** Where the last full view begins. */
function lastStart(rows: readonly RowView[], width: number, height: number): number {
  let at = rows.length;
  let used = 0;
  while (at > 0) {
    used += rows[at - 1]!(width).length;
    if (used > height) break;
    at -= 1;
  }
  return Math.min(at, Math.max(0, rows.length - 1));
}

/** `text` in pieces of at most `longestRow` characters, none cut within a character. */
export function pieces(text: string): string[] {
  if (text.length <= longestRow) return [text];
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + longestRow;
    const split = end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
    parts.push(text.slice(at, split));
    at = split;
  }
  return parts;
}
