import { widthOf } from './text.ts';

/** Where the cursor stands in the live part. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/** The part at the bottom that is drawn over and over. */
export interface Live {
  readonly lines: readonly string[];
  readonly cursor: Cursor;
}

/**
 * The terminal as we use it: finished lines go into its own scrollback, once, and below them stands a live part. Nothing
 * above the live part is ever touched again, and no screen is ever cleared.
 */
export interface Screen {
  /** Writes finished lines above the live part and draws the live part, in one piece. */
  draw(finished: readonly string[], live: Live): void;
  /** Takes the live part away and leaves the cursor where it began. */
  clear(): void;
  /** The terminal has another width: what was drawn has been broken into lines anew. */
  resized(columns: number): void;
  /** Whatever is on the screen is none of ours any more: the next live part begins at the cursor. */
  forget(): void;
}

/** Terminals that know it show everything in between at once; others ignore it. */
const begin = '\x1b[?2026h\x1b[?25l';
const end = '\x1b[?25h\x1b[?2026l';

const nothing: Live = { lines: [], cursor: { row: 0, column: 0 } };

export function createScreen(write: (text: string) => void): Screen {
  let drawn = nothing;
  /** Rows between the first row of the live part and the cursor. */
  let above = 0;
  const toTop = () => `${above > 0 ? `\x1b[${above}A` : ''}\r`;
  return {
    draw(finished, live) {
      if (finished.length === 0 && sameLive(drawn, live)) return;
      const skip = finished.length > 0 ? 0 : sharedStart(drawn.lines, live.lines);
      const lines = [...finished, ...live.lines.slice(skip)];
      const down = skip > 0 ? `\x1b[${skip}B` : '';
      // The line is emptied first: in the last column some terminals would lose a character to clearing behind it.
      const body = lines.map((line) => `\x1b[2K${line}\x1b[0m`).join('\r\n');
      const painted = lines.length === 0 ? '' : `${down}${body}\x1b[J`;
      write(`${begin}${toTop()}${painted}${toCursor(live, lines.length === 0)}${end}`);
      drawn = live;
      above = live.cursor.row;
    },
    clear() {
      if (drawn.lines.length > 0) write(`${toTop()}\x1b[J`);
      drawn = nothing;
      above = 0;
    },
    resized(columns) {
      above = rowsAbove(drawn, columns);
      drawn = { ...drawn, lines: drawn.lines.length === 0 ? [] : ['\u0000'] };
    },
    forget() {
      drawn = nothing;
      above = 0;
    },
  };
}

/** From the last row of the live part to the cursor's place; from the first one when nothing was painted. */
function toCursor({ lines, cursor }: Live, fromTop: boolean): string {
  const rows = fromTop ? cursor.row : lines.length - 1 - cursor.row;
  const vertical = rows > 0 ? `\x1b[${rows}${fromTop ? 'B' : 'A'}` : '';
  const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
  return `${vertical}\r${right}`;
}

function sameLive(one: Live, other: Live): boolean {
  return (
    one.cursor.row === other.cursor.row &&
    one.cursor.column === other.cursor.column &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, at) => line === other.lines[at])
  );
}

/** How many lines at the start need not be drawn again. */
function sharedStart(before: readonly string[], after: readonly string[]): number {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at += 1;
  // The last shared line is drawn again where one part is longer: new rows are made, and old ones cleared, from its end.
  const longer = before.length !== after.length && at === Math.min(before.length, after.length);
  return longer ? Math.max(0, at - 1) : at;
}

/** Terminals break lines anew when they become narrower, so the live part has more rows then. */
function rowsAbove({ lines, cursor }: Live, columns: number): number {
  const rows = (line: string) => Math.max(1, Math.ceil(widthOf(line) / Math.max(1, columns)));
  const before = lines.slice(0, cursor.row).reduce((sum, line) => sum + rows(line), 0);
  return before + Math.floor(cursor.column / Math.max(1, columns));
}
