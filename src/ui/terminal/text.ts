import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { visibleProse, visibleText } from '../../base/visible.ts';

/** How many columns a line takes; escape sequences take none. */
export function widthOf(line: string): number {
  return visibleWidth(line);
}

/** A line cut to `width` columns, with a mark where something is missing. */
export function cut(line: string, width: number, mark = '…'): string {
  if (width <= 0) return '';
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, mark);
}

/** Text as lines of at most `width` columns, broken between words where there are some. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => (line === '' ? [''] : wrapTextWithAnsi(line, Math.max(1, width))));
}

/** The same with every line behind the first set in below `first`. */
export function hang(first: string, text: string, width: number): string[] {
  const indent = widthOf(first);
  return wrap(text, width - indent).map((line, at) => (at === 0 ? first : ' '.repeat(indent)) + line);
}

/** Foreign text that may be shown: nothing in it moves the cursor, hides or reorders, and tabs are spaces. */
export function shown(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n')).replaceAll('\t', '    ');
}

/** The same for what a person or a model writes, in any script and with emoji. */
export function prose(text: string): string {
  return visibleProse(text.replaceAll('\r\n', '\n')).replaceAll('\t', '    ');
}

/** Foreign text in one line. */
export function shownLine(text: string): string {
  return shown(text).replaceAll(/\s+/g, ' ').trim();
}
