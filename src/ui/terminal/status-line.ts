import { cut, widthOf } from './text.ts';
import type { Theme } from './theme.ts';

/** What the line at the bottom tells. */
export interface Status {
  readonly model: string;
  readonly dialect: string;
  readonly mode: 'ask' | 'edits' | 'plan' | 'all' | 'none';
  readonly sandbox: string;
  readonly contextTokens: number;
  /** How many fit. */
  readonly room: number;
  /** US dollars; undefined when no price is known. */
  readonly cost: number | undefined;
}

/** `accept edits · 12% of 200k · $0.1234 · anthropic/x · native · sandbox: bubblewrap`; the least needed goes first. */
export function statusLine(status: Status, hint: string, width: number, theme: Theme): string {
  const { paint, glyphs } = theme;
  const share = status.room > 0 ? Math.round((100 * status.contextTokens) / status.room) : 0;
  const parts = [
    modeNames[status.mode],
    `${share}% of ${thousandsOf(status.room)}`,
    ...(status.cost === undefined ? [] : [`$${status.cost.toFixed(status.cost < 1 ? 4 : 2)}`]),
    status.model,
    status.dialect,
    `sandbox: ${status.sandbox}`,
  ];
  const join = (some: readonly string[]) => some.join(` ${glyphs.dot} `);
  const room = width - (hint === '' ? 0 : widthOf(hint) + 2);
  let kept = parts.length;
  while (kept > 1 && widthOf(join(parts.slice(0, kept))) > room) kept -= 1;
  const left = join(parts.slice(0, kept));
  const gap = ' '.repeat(Math.max(2, width - widthOf(left) - widthOf(hint)));
  const style = status.mode === 'plan' ? 'accent' : status.mode === 'ask' ? 'muted' : 'warn';
  return cut(paint(style, left) + (hint === '' ? '' : gap + paint('muted', hint)), width, glyphs.more);
}

const modeNames: Record<Status['mode'], string> = {
  ask: 'ask first',
  edits: 'accept edits',
  plan: 'plan only',
  all: 'approve all',
  none: 'approve none',
};

function thousandsOf(tokens: number): string {
  return tokens >= 1_000_000 ? `${tokens / 1_000_000}M` : `${Math.round(tokens / 1000)}k`;
}
