import { Markdown, type MarkdownTheme, Marked } from '@earendil-works/pi-tui';
import type { Highlighter } from './highlight.ts';
import { prose } from './text.ts';
import type { Theme } from './theme.ts';

/** Markdown as terminal lines. */
export interface MarkdownView {
  render(text: string, width: number): string[];
}

export function createMarkdownView(theme: Theme, highlighter: Highlighter): MarkdownView {
  const look = lookOf(theme, highlighter);
  return {
    render: (text, width) =>
      new Markdown(prose(text), 0, 0, look, undefined, { preserveOrderedListMarkers: true, renderLatex: false })
        .render(width)
        .map((line) => line.trimEnd())
        .filter((line) => !line.includes(fenceMark)),
  };
}

/** Fences are not shown: code is set in. What is shown holds no control character but ours. */
const fenceMark = '\u0001';

function lookOf(theme: Theme, highlighter: Highlighter): MarkdownTheme {
  const { paint, glyphs } = theme;
  const plain = (text: string) => text;
  return {
    heading: (text) => paint('strong', text),
    link: (text) => paint('underlined', text),
    linkUrl: (text) => paint('muted', text),
    code: (text) => (theme.color ? paint('code', text) : `\`${text}\``),
    codeBlock: plain,
    codeBlockBorder: () => fenceMark,
    quote: (text) => paint('italic', text),
    quoteBorder: () => paint('muted', `${glyphs.bar} `),
    hr: (text) => paint('muted', text.replaceAll('─', glyphs.rule)),
    listBullet: (text) => paint('accent', text),
    bold: (text) => paint('strong', text),
    italic: (text) => paint('italic', text),
    strikethrough: (text) => paint('struck', text),
    underline: (text) => paint('underlined', text),
    highlightCode: (code, language) => highlighter.highlight(code, language),
  };
}

const lexer = new Marked();

/** What of a text that still grows is finished, and what is not: its last block. */
export interface Growing {
  readonly finished: string;
  readonly rest: string;
  /** True when the finished part ends within a block that goes on: no blank line belongs behind it. */
  readonly within: boolean;
}

/**
 * Cuts text that still grows behind its last finished block. A block is finished when another one has begun behind it, and
 * a fenced block also line by line, once it is long: then the rest opens the fence anew.
 */
export function splitGrowing(text: string): Growing {
  const tokens = lexer.lexer(text);
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]!.type === 'space') last -= 1;
  const finished = tokens.slice(0, last).reduce((length, { raw }) => length + raw.length, 0);
  if (finished > 0) return { finished: text.slice(0, finished), rest: text.slice(finished), within: false };
  return splitFence(text);
}

const longFence = 40;
const keptLines = 8;

function splitFence(text: string): Growing {
  const open = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/.exec(text);
  const lines = text.split('\n');
  const growing = { finished: '', rest: text, within: false };
  if (open === null || lines.length < longFence) return growing;
  if (lines.slice(1).some((line) => line.trim().startsWith(open[1]!))) return growing;
  const at = lines.length - keptLines;
  return {
    finished: `${lines.slice(0, at).join('\n')}\n`,
    rest: `${open[0]}${lines.slice(at).join('\n')}`,
    within: true,
  };
}
