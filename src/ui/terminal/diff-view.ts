import type { DiffRow } from './diff-rows.ts';
import { pieces, type RowView } from './row-view.ts';
import { shown, wrap } from './text.ts';
import type { Style, Theme } from './theme.ts';

/** The rows of a diff as terminal lines: numbered, coloured, long ones wrapped, none cut. */
export function diffLines(rows: readonly DiffRow[], width: number, theme: Theme): string[] {
  return diffViews(rows, theme).flatMap((view) => view(width));
}

/** The same row by row, for what is scrolled. */
export function diffViews(rows: readonly DiffRow[], theme: Theme): RowView[] {
  const digits = String(rows.reduce((most, row) => Math.max(most, highest(row)), 1)).length;
  return rows.flatMap((row) => viewsOf(row, digits, theme));
}

function highest(row: DiffRow): number {
  return Math.max('before' in row ? row.before : 0, 'after' in row ? row.after : 0);
}

function viewsOf(row: DiffRow, digits: number, theme: Theme): RowView[] {
  switch (row.kind) {
    case 'file':
      return [(width) => wrap(theme.paint('strong', fileName(shown(row.text))), width)];
    case 'hunk':
      return [(width) => wrap(theme.paint('accent', shown(row.text)), width)];
    case 'note':
      return pieces(row.text).map((piece) => (width) => wrap(theme.paint('muted', shown(piece)), width));

    case 'same':
      return numbered(row, ' ', undefined, digits, theme);
    case 'added':
      return numbered(row, '+', 'good', digits, theme);
    case 'removed':
      return numbered(row, '-', 'bad', digits, theme);
  }
}

/** `a/x b/x` is one name. */
function fileName(names: string): string {
  const half = (names.length - 1) / 2;
  const [left, right] = [names.slice(2, half), names.slice(half + 3)];
  return left === right ? left : names;
}

type Numbered = DiffRow & { readonly kind: 'same' | 'added' | 'removed' };

function numbered(row: Numbered, mark: string, style: Style | undefined, digits: number, theme: Theme): RowView[] {
  const { paint } = theme;
  const number = (value: number | undefined) => (value === undefined ? '' : String(value)).padStart(digits);
  const gutter = `${number('before' in row ? row.before : undefined)} ${number('after' in row ? row.after : undefined)} `;
  const empty = ' '.repeat(gutter.length);
  const visible = style === undefined ? row.text : withBlanks(row.text, theme);
  return pieces(visible).map((piece, part) => (width) => {
    const lines = wrap(shown(piece), Math.max(1, width - gutter.length - 2));
    return lines.map((line, at) => {
      const text = `${mark} ${line}`;
      const side = at === 0 && part === 0 ? gutter : empty;
      return paint('muted', side) + (style === undefined ? text : paint(style, text));
    });
  });
}

/** Tabs, and blanks at the end: in a line that changes they may be the change. */
function withBlanks(text: string, { glyphs }: Theme): string {
  const end = text.trimEnd().length;
  const tail = text.slice(end).replaceAll(' ', glyphs.blank);
  return (text.slice(0, end) + tail).replaceAll('\t', `${glyphs.tab}   `);
}
