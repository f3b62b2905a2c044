import { continueNote, numberLines, thousands, wholeEnd } from '../base/text.ts';
import type { LineWindow } from '../workspace/window.ts';

/** The most characters a result may have, notes included. */
export const maxResult = 30_000;

/** Kept free for the notes below the lines. */
const noteRoom = 400;

/** Lines with their numbers and, where something is left, what is missing and how to read on. */
export function renderWindow(window: LineWindow, given: string, max = maxResult): string {
  if (window.total === 0) return `[${given} is empty]`;
  const room = Math.max(max - noteRoom, 0);
  const fitting = countFitting(window, room);
  const body =
    fitting > 0
      ? numberLines(window.lines.slice(0, fitting), window.first)
      : clipped(`${window.first}: ${window.lines[0]}`, room);
  return [body, ...notes(window, fitting, body)].join('\n');
}

function clipped(line: string, room: number): string {
  return line.length <= room ? line : line.slice(0, wholeEnd(line, room));
}

/** How many lines fit whole; a line that was cut while reading never does. */
function countFitting(window: LineWindow, room: number): number {
  let used = 0;
  const whole = window.lines.length - (window.cut === undefined ? 0 : 1);
  for (let at = 0; at < whole; at += 1) {
    used += String(window.first + at).length + 3 + window.lines[at]!.length;
    if (used > room + 1) return at;
  }
  return whole;
}

function notes(window: LineWindow, fitting: number, body: string): string[] {
  const missing = missingChars(window, fitting, body);
  const cut = missing === 0 ? [] : [`... [truncated ${window.cut?.atLeast ? 'over ' : ''}${thousands(missing)} chars]`];
  const next = fitting > 0 ? continueNote(window.first, fitting, window.total) : nextInside(window, body);
  return [...cut, ...(next === '' ? [] : [next]), ...encodingNote(window)];
}

/** Characters of the lines asked for that are not shown, with the line ends between them. */
function missingChars(window: LineWindow, fitting: number, body: string): number {
  const beyond = window.cut?.chars ?? 0;
  const rest = window.lines.slice(fitting);
  if (rest.length === 0) return beyond;
  const kept = rest.reduce((sum, line) => sum + 1 + line.length, 0);
  const shown = fitting > 0 ? 0 : body.length - linePrefix(window).length + 1;
  return kept - shown + beyond;
}

function linePrefix(window: LineWindow): string {
  return `${window.first}: `;
}

/** For a line longer than everything allowed: reading it again would show the same part again. */
function nextInside(window: LineWindow, body: string): string {
  const shown = body.length - linePrefix(window).length;
  const more = window.total === undefined || window.total > window.first;
  const behind = more ? `, or continue behind it with offset ${window.first + 1}` : '';
  return `... [line ${window.first} is cut after ${thousands(shown)} characters: search it with grep, or print another part of it with bash (cut -c)${behind}]`;
}

function encodingNote({ encoding }: LineWindow): string[] {
  if (encoding.name === 'UTF-8') return [];
  return [`... [decoded from ${encoding.name}${encoding.certain ? '' : ', which is a guess'}]`];
}
