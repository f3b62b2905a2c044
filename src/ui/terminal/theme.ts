import { type Charset, charsetOf } from './charset.ts';

/** What a piece of text is; the theme says how that looks. */
export type Style =
  | 'accent'
  | 'muted'
  | 'good'
  | 'bad'
  | 'warn'
  | 'strong'
  | 'italic'
  | 'struck'
  | 'underlined'
  | 'code'
  | 'keyword'
  | 'string'
  | 'number'
  | 'name';

/** How things look on one terminal. */
export interface Theme {
  readonly color: boolean;
  readonly charset: Charset;
  readonly glyphs: Glyphs;
  paint(style: Style, text: string): string;
}

/** Our own marks, in a spelling the terminal can show. */
export interface Glyphs {
  readonly rule: string;
  readonly call: string;
  readonly done: string;
  readonly failed: string;
  readonly denied: string;
  readonly more: string;
  readonly prompt: string;
  readonly bar: string;
  readonly dot: string;
  readonly up: string;
  readonly down: string;
  /** A tab and a blank at the end of a changed line, which could not be seen otherwise. */
  readonly tab: string;
  readonly blank: string;
}

const drawn: Glyphs = {
  rule: '─',
  call: '●',
  done: '✓',
  failed: '✗',
  denied: '⊘',
  more: '…',
  prompt: '›',
  bar: '│',
  dot: '·',
  up: '↑',
  down: '↓',
  tab: '→',
  blank: '·',
};

const spelled: Glyphs = {
  rule: '-',
  call: '*',
  done: 'ok',
  failed: 'x',
  denied: '!!',
  more: '...',
  prompt: '>',
  bar: '|',
  dot: '-',
  up: '^',
  down: 'v',
  tab: '>',
  blank: '.',
};

type Codes = readonly [on: number, off: number];

/**
 * Only the sixteen colours that a terminal's own palette gives, so that what is readable there is readable here, on a dark
 * or a light background, in tmux and over SSH.
 */
const codes: Readonly<Record<Style, Codes>> = {
  accent: [36, 39],
  muted: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  strong: [1, 22],
  italic: [3, 23],
  struck: [9, 29],
  underlined: [4, 24],
  code: [36, 39],
  keyword: [35, 39],
  string: [32, 39],
  number: [33, 39],
  name: [34, 39],
};

/** Yellow on white can't be read. */
const onLight: Partial<Record<Style, Codes>> = { warn: [35, 39], number: [31, 39] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The theme for a terminal. `NO_COLOR` (any value but none) takes colour and all other attributes away; `COLORFGBG` tells of
 * a light background.
 */
export function themeFor(env: Environment): Theme {
  const color = !env.NO_COLOR && env.TERM !== 'dumb';
  const table = isLight(env) ? { ...codes, ...onLight } : codes;
  const charset = charsetOf(env);
  return {
    color,
    charset,
    glyphs: charset === 'utf-8' ? drawn : spelled,
    paint: color ? (style, text) => inCodes(table[style], text) : (_, text) => text,
  };
}

/** An attribute that ends inside is taken up again behind it. */
function inCodes([on, off]: Codes, text: string): string {
  const end = `\x1b[${off}m`;
  const begin = `\x1b[${on}m`;
  return begin + (text.includes(end) ? text.replaceAll(end, end + begin) : text) + end;
}

/** `COLORFGBG=0;15`: the last number is the background's, 7 and 15 are white. */
function isLight({ COLORFGBG }: Environment): boolean {
  const background = COLORFGBG?.split(';').at(-1);
  return background === '7' || background === '15';
}
