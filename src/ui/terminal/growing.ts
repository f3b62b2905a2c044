import { Marked } from '@earendil-works/pi-tui';

const lexer = new Marked();

/** What of a text that still grows is finished, and what is not: its last block. */
export interface Growing {
  readonly finished: string;
  readonly rest: string;
  /** True when the finished part ends within a block that goes on: no blank line belongs behind it. */
  readonly within: boolean;
}

/** What is live is drawn over and over; more characters than this are never. */
export const mostLive = 10_000;

/** More than this is not looked at in one go, so that keys are heard between. */
export const mostAtOnce = 50_000;

/** A whole text in parts of about that length, cut where it hurts least. */
export function splitWhole(text: string): readonly Omit<Growing, 'rest'>[] {
  const parts: Omit<Growing, 'rest'>[] = [];
  let left = text;
  while (left.length > mostAtOnce) {
    const { finished, rest, within } = splitGrowing(left.slice(0, mostAtOnce));
    parts.push({ finished, within });
    left = rest + left.slice(mostAtOnce);
  }
  return [...parts, { finished: left, within: false }];
}

/**
 * Cuts text that still grows behind its last finished block. A block is finished when another one has begun behind it; a
 * fenced block also line by line, once it is long: then the rest opens the fence anew. Any other block that has become very
 * long is cut where it hurts least.
 */
export function splitGrowing(text: string): Growing {
  const tokens = lexer.lexer(text);
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]!.type === 'space') last -= 1;
  const at = tokens.slice(0, last).reduce((length, { raw }) => length + raw.length, 0);
  const rest = text.slice(at);
  if (rest.length > mostLive) return behind(text.slice(0, at), splitLong(rest, tokens[last]!.type));
  if (at > 0) return { finished: text.slice(0, at), rest, within: false };
  return splitFence(text, keptLines) ?? { finished: '', rest: text, within: false };
}

function behind(finished: string, growing: Growing): Growing {
  return { ...growing, finished: finished + growing.finished };
}

const fence = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/;
const longFence = 40;
const keptLines = 8;

/** The lines of an open fence that are far enough back; undefined while it is short, closed, or none. */
function splitFence(text: string, kept: number): Growing | undefined {
  const open = fence.exec(text);
  const lines = text.split('\n');
  if (open === null || lines.length < longFence || isClosed(lines, open[1]!)) return undefined;
  const at = lines.length - kept;
  return {
    finished: `${lines.slice(0, at).join('\n')}\n`,
    rest: open[0] + lines.slice(at).join('\n'),
    within: true,
  };
}

function isClosed(lines: readonly string[], marks: string): boolean {
  return lines.slice(1).some((line) => line.trim().startsWith(marks));
}

/**
 * A block that is too long to be drawn over and over: cut before a line that is not set in, else before any line, else
 * between words. A fence is opened anew, and a table goes on with its head.
 */
function splitLong(text: string, type: string): Growing {
  const open = fence.exec(text);
  if (open !== null && isClosed(text.split('\n'), open[1]!)) return { finished: text, rest: '', within: false };
  const half = text.length - mostLive / 2;
  const end = text.slice(half);
  const borders = [/\n(?=\S)/, /\n/, / /].map((border) => border.exec(end)?.index);
  const at = half + (borders.find((border) => border !== undefined) ?? -1) + 1;
  const head = open?.[0] ?? (type === 'table' ? headOf(text) : '');
  return { finished: text.slice(0, at), rest: head + text.slice(at), within: true };
}

/** A table's first two lines. */
function headOf(text: string): string {
  return text
    .split('\n', 2)
    .map((line) => `${line}\n`)
    .join('');
}
