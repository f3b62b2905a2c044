import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui';
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
      new Markdown(withoutLongWords(prose(text)), 0, 0, look, undefined, {
        preserveOrderedListMarkers: true,
        renderLatex: false,
      })
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

/** Breaking a word into rows takes time with the square of its length. */
const longWord = /\S{2000}(?=\S)/g;

function withoutLongWords(text: string): string {
  return text.length <= 2000 ? text : text.replace(longWord, '$&\n');
}
