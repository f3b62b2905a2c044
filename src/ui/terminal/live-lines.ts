import { renderTodos } from '../../agent/todo.ts';
import type { Look } from './block-lines.ts';
import { mostLive } from './growing.ts';
import { subjectOf } from './subject.ts';
import { cut, shown, shownLine } from './text.ts';
import type { Theme } from './theme.ts';
import type { RunningCall, View } from './view.ts';

/** What is live beside the events: background commands and prompts that wait. */
export interface Beside {
  readonly jobs: readonly { readonly id: string; readonly command: string }[];
  readonly queue: readonly string[];
}

const mostAnswer = 14;
const mostOutput = 5;
const mostTodos = 8;

/** The live part above the input: what streams, what runs, what is planned. At most `height` lines: the last ones. */
export function liveLines(
  view: View,
  beside: Beside,
  size: { width: number; height: number },
  look: Look,
  now: number,
): string[] {
  const { width, height } = size;
  const { theme, markdown } = look;
  const answer = view.answer === '' ? [] : markdown.render(view.answer.slice(-mostLive), width).slice(-mostAnswer);
  const lines = [
    ...answer,
    ...thinkingLines(view, width, theme),
    ...view.calls.flatMap((call) => callLines(call, width, theme, now)),
    ...view.subagents.map(({ kind, description, text }) =>
      cut(theme.paint('muted', `  [${kind}] ${shownLine(description)}: ${shownLine(text)}`), width),
    ),
    ...todoLines(view, width, theme),
    ...beside.jobs.map(({ id, command }) => cut(theme.paint('muted', `${id} runs ${shownLine(command)}`), width)),
    ...beside.queue.map((text) => cut(theme.paint('muted', `queued: ${shownLine(text)}`), width)),
  ];
  return height <= 0 ? [] : lines.slice(-height);
}

function thinkingLines(view: View, width: number, { paint, glyphs }: Theme): string[] {
  const { busy, answer, thinking, writing, calls } = view;
  if (writing !== undefined) {
    return [cut(paint('muted', `${glyphs.call} ${writing.tool}${glyphs.more} ${writing.size} characters`), width)];
  }
  if (thinking !== '') return [cut(paint('muted', `thinking${glyphs.more} ${shownLine(thinking.slice(-300))}`), width)];
  return busy && answer === '' && calls.length === 0 ? [paint('muted', `waiting for the model${glyphs.more}`)] : [];
}

function callLines(call: RunningCall, width: number, { paint, glyphs }: Theme, now: number): string[] {
  const seconds = Math.max(0, Math.floor((now - call.since) / 1000));
  const time = call.asked ? 'needs your word' : seconds < 2 ? '' : `${seconds} s`;
  const head = `${paint('accent', glyphs.call)} ${paint('strong', call.tool)} ${subjectOf(call.arguments)}`;
  const output = shown(call.output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    `${cut(head, width - time.length - 1, glyphs.more)} ${paint('muted', time)}`,
    ...output.slice(-mostOutput).map((line) => cut(paint('muted', `  ${line}`), width, glyphs.more)),
  ];
}

/** The list while something of it is open; around what is being done when it is long. */
function todoLines({ todos }: View, width: number, { paint, glyphs }: Theme): string[] {
  if (todos.every(({ status }) => status === 'done')) return [];
  const lines = renderTodos(todos).split('\n');
  const at = Math.max(0, todos.findIndex(({ status }) => status !== 'done') - 1);
  const from = Math.min(at, Math.max(0, lines.length - mostTodos));
  const window = lines.slice(from, from + mostTodos).map((line) => cut(shownLine(line), width, glyphs.more));
  const rest = lines.length - window.length;
  const tail = rest > 0 ? [paint('muted', `${glyphs.more} ${rest} more (/todos)`)] : [];
  return [...window.map((line) => (line.startsWith('[x]') ? paint('muted', line) : line)), ...tail];
}
