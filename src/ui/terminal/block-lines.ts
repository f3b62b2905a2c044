import { thousands } from '../../base/text.ts';
import type { ChangeSummary } from '../../change/change.ts';
import { diffRows } from './diff-rows.ts';
import { diffLines } from './diff-view.ts';
import type { MarkdownView } from './markdown.ts';
import { subjectOf } from './subject.ts';
import { cut, hang, prose, shown, shownLine, wrap } from './text.ts';
import type { Theme } from './theme.ts';
import type { Block, CallBlock } from './view.ts';

export interface Look {
  readonly theme: Theme;
  readonly markdown: MarkdownView;
}

/** A finished block as lines, a blank one behind it where something of another kind may follow. */
export function blockLines(block: Block, width: number, look: Look): string[] {
  const { theme, markdown } = look;
  const { paint, glyphs } = theme;
  switch (block.type) {
    case 'prompt':
      return [
        ...hang(`${paint('accent', glyphs.prompt)} `, promptText(block.text, theme), width),
        ...(block.images ?? []).flatMap((label) => hang('  ', paint('muted', shownLine(label)), width)),
        '',
      ];
    case 'answer':
      return block.within ? markdown.render(block.text, width) : spaced(markdown.render(block.text, width));
    case 'markdown':
      return spaced(markdown.render(block.text, width));
    case 'thought':
      return [paint('muted', `${glyphs.dot} thought for ${wordsIn(block.text)} words (ctrl+o shows them)`), ''];
    case 'call':
      return spaced(callLines(block, width, theme));
    case 'diff':
      return [
        paint('strong', cut(shownLine(block.title), width)),
        ...diffLines(diffRows(block.diff), width, theme),
        '',
      ];
    case 'note':
      return [...wrap(paint(block.style, shown(block.text)), width), ''];
  }
}

/** Is there more to it than is shown? */
export function isShortened(block: Block): boolean {
  return block.type === 'thought' || block.type === 'call' || (block.type === 'prompt' && isLong(block.text));
}

/** A block whole, where it was shown shortened: what ctrl+o prints. Undefined when there is no more to it. */
export function wholeLines(block: Block, width: number, { theme, markdown }: Look): string[] | undefined {
  if (block.type === 'thought') return spaced(markdown.render(block.text, width));
  if (block.type === 'prompt') return spaced(wrap(prose(block.text), width));
  if (block.type !== 'call') return undefined;
  const { tool, arguments: args, end, diff } = block;
  const title = theme.paint('strong', `${tool} ${shownLine(args)}`);
  const change = diff === undefined ? [] : diffLines(diffRows(diff), width, theme);
  return spaced([...wrap(title, width), ...change, ...wrap(shown(end.text), width)]);
}

const longPrompt = { lines: 40, characters: 4000 };
const shownOfPrompt = { lines: 12, characters: 1200 };

function isLong(text: string): boolean {
  return text.length > longPrompt.characters || text.split('\n').length > longPrompt.lines;
}

/** Of a long one, such as a paste, the beginning. */
function promptText(text: string, { paint, glyphs }: Theme): string {
  if (!isLong(text)) return paint('strong', prose(text));
  const begin = text.slice(0, shownOfPrompt.characters).split('\n').slice(0, shownOfPrompt.lines).join('\n');
  const rest = `${glyphs.more} ${thousands(text.length - begin.length)} more characters (ctrl+o)`;
  return `${paint('strong', prose(begin))}\n${paint('muted', rest)}`;
}

function spaced(lines: readonly string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1] === '') end -= 1;
  return end === 0 ? [] : [...lines.slice(0, end), ''];
}

function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

function callLines(block: CallBlock, width: number, theme: Theme): string[] {
  const { end, tool, arguments: args } = block;
  const { paint, glyphs } = theme;
  const mark = {
    ok: paint('good', glyphs.done),
    error: paint('bad', glyphs.failed),
    denied: paint('warn', glyphs.denied),
  }[end.type];
  const head = cut(`${mark} ${paint('strong', tool)} ${subjectOf(args)}`, width, glyphs.more);
  return [head, ...endLines(block, width - 2, theme).map((line) => `  ${line}`)];
}

function endLines({ tool, end, diff }: CallBlock, width: number, theme: Theme): string[] {
  if (end.type === 'ok' && end.changes.length > 0) {
    return [...end.changes.map((change) => changeLine(change, width, theme)), ...diffExcerpt(diff, width, theme)];
  }
  const most = end.type === 'ok' ? (told.has(tool) ? 6 : 1) : 4;
  const style = end.type === 'ok' ? 'muted' : end.type === 'error' ? 'bad' : 'warn';
  const text = end.type === 'ok' ? end.text : wrap(end.text, width).join('\n');
  return excerpt(text, most, width, theme.glyphs.more).map((line) => theme.paint(style, line));
}

function changeLine(
  { type, path, to, added, removed }: ChangeSummary,
  width: number,
  { paint, glyphs }: Theme,
): string {
  const name = shownLine(to === undefined ? path : `${path} -> ${to}`);
  return cut(`${type} ${name} ${paint('good', `+${added}`)} ${paint('bad', `-${removed}`)}`, width, glyphs.more);
}

const mostDiffRows = 24;

function diffExcerpt(diff: string | undefined, width: number, theme: Theme): string[] {
  const rows = diff === undefined ? [] : diffRows(diff).filter(({ kind }) => kind !== 'file');
  const rest = rows.length - mostDiffRows;
  const lines = diffLines(rest > 0 ? rows.slice(0, mostDiffRows) : rows, width, theme);
  return rest > 0 ? [...lines, theme.paint('muted', `${theme.glyphs.more} ${rest} more rows (ctrl+o)`)] : lines;
}

/** Tools whose result a person wants to see some of. */
const told: ReadonlySet<string> = new Set(['bash', 'bash_output', 'task', 'ask', 'todo_write', 'remember', 'undo']);

/** The last lines where a text is long, since that is where outputs come to the point; the count of the others. */
function excerpt(text: string, most: number, width: number, more: string): string[] {
  const lines = shown(text.trimEnd()).split('\n');
  if (lines.length <= most) return lines.map((line) => cut(line, width, more));
  if (most === 1) return [`${lines.length} lines`];
  const kept = [lines[0]!, `${more} ${lines.length - most} more lines (ctrl+o)`, ...lines.slice(-(most - 1))];
  return kept.map((line) => cut(line, width, more));
}
