import type { AgentEvent } from '../../agent/event.ts';
import { blockLines, isShortened, type Look, wholeLines } from './block-lines.ts';
import { follow, settle } from './follow.ts';
import { createFrames } from './frame.ts';
import { mostAtOnce } from './growing.ts';
import { type Beside, liveLines } from './live-lines.ts';
import { createScreen, type Live } from './screen.ts';
import type { Terminal } from './terminal.ts';
import { cut, widthOf, wrap } from './text.ts';
import { type Block, emptyView, type View } from './view.ts';

/** The view of a session and its place on the terminal: finished blocks in the scrollback, what is live below. */
export interface Stage {
  view(): View;
  event(event: AgentEvent): void;
  show(...blocks: readonly Block[]): void;
  /** Shows the last shortened block whole. */
  showWhole(): void;
  /** Something that is drawn has changed. */
  refresh(): void;
  /** Forgets what belongs to a session. */
  reset(): void;
  resized(): void;
  /** Draws anew on an empty screen; the scrollback stays. */
  redraw(): void;
  /** Leaves the screen to somebody else until `back`. */
  leave(): void;
  back(): void;
  close(): void;
}

export interface StageOptions {
  readonly terminal: Terminal;
  readonly look: Look;
  readonly now: () => number;
  /** The lines at the bottom, at most `most` of them: the input or a question, and the status. */
  bottom(width: number, most: number): Live;
  beside(): Beside;
  diffOf(callId: string): string | undefined;
}

export function createStage({ terminal, look, now, bottom, beside, diffOf }: StageOptions): Stage {
  const screen = createScreen((text) => terminal.write(text));
  const frames = createFrames(draw);
  const clock = setInterval(() => view.busy && frames.request(), 1000);
  clock.unref();
  let view = emptyView;
  const waiting: Block[] = [];
  let shortened: Block | undefined;
  let away = false;

  // The last column stays empty: what a terminal does behind it differs.
  const width = () => Math.max(10, terminal.columns - 1);

  function draw(): void {
    if (away) return;
    const step = settle(view);
    view = step.view;
    waiting.push(...step.blocks);
    const blocks = waiting.splice(0, fitting(waiting));
    if (isBehind()) frames.request();
    screen.draw(
      blocks.flatMap((block) => fitted(blockLines(block, width(), look))),
      live(),
    );
  }

  /** More is finished than one frame shows. */
  function isBehind(): boolean {
    return waiting.length > 0 || view.answer.length > mostAtOnce;
  }

  function drawAll(): void {
    frames.flush();
    while (isBehind() && !away) draw();
  }

  /** A line that reached the last column would be two rows, and the next frame one row off. */
  function fitted(lines: readonly string[]): readonly string[] {
    return lines.flatMap((line) => (widthOf(line) > width() ? wrap(line, width()) : [line]));
  }

  function live(): Live {
    const most = Math.max(4, terminal.rows - 1);
    const below = bottom(width(), most);
    const size = { width: width(), height: most - below.lines.length };
    const above = liveLines(view, beside(), size, look, now());
    const { row, column } = below.cursor;
    return {
      lines: [...above, ...below.lines].map((line) => cut(line, width(), '')),
      cursor: { row: above.length + row, column: Math.min(column, width()) },
    };
  }

  function show(...blocks: readonly Block[]): void {
    shortened = blocks.findLast(isShortened) ?? shortened;
    waiting.push(...blocks);
    frames.request();
  }

  function withDiff(block: Block): Block {
    if (block.type !== 'call' || block.end.type !== 'ok' || block.end.changes.length === 0) return block;
    return { ...block, diff: diffOf(block.callId) };
  }

  return {
    view: () => view,
    event(event) {
      const step = follow(view, event, now());
      view = step.view;
      show(...step.blocks.map(withDiff));
    },
    show,
    showWhole() {
      const lines = shortened === undefined ? undefined : wholeLines(shortened, width(), look);
      if (lines !== undefined) screen.draw(fitted(lines), live());
    },
    refresh: () => frames.request(),
    reset() {
      view = emptyView;
      frames.request();
    },
    resized() {
      screen.resized(terminal.columns);
      frames.request();
    },
    redraw() {
      screen.forget();
      terminal.write('\x1b[2J\x1b[H');
      frames.request();
    },
    leave() {
      drawAll();
      screen.clear();
      away = true;
    },
    back() {
      away = false;
      screen.forget();
      frames.request();
    },
    close() {
      drawAll();
      frames.stop();
      clearInterval(clock);
      screen.clear();
    },
  };
}

/** How many of the blocks are drawn at once: those that hold about as much as may be, one at least. */
function fitting(blocks: readonly Block[]): number {
  let characters = 0;
  let count = 0;
  for (const block of blocks) {
    characters += sizeOf(block);
    if (count > 0 && characters > mostAtOnce) break;
    count += 1;
  }
  return count;
}

function sizeOf(block: Block): number {
  if (block.type === 'diff') return block.diff.length;
  return 'text' in block && block.type !== 'thought' ? block.text.length : 0;
}
