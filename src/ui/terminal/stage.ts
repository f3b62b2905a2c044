import type { AgentEvent } from '../../agent/event.ts';
import { blockLines, type Look, wholeLines } from './block-lines.ts';
import { follow, settle } from './follow.ts';
import { createFrames } from './frame.ts';
import { type Beside, liveLines } from './live-lines.ts';
import { createScreen, type Live } from './screen.ts';
import type { Terminal } from './terminal.ts';
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
  let waiting: Block[] = [];
  let shortened: Block | undefined;
  let away = false;

  // The last column stays empty: what a terminal does behind it differs.
  const width = () => Math.max(10, terminal.columns - 1);

  function draw(): void {
    if (away) return;
    const step = settle(view);
    view = step.view;
    const blocks = [...waiting, ...step.blocks];
    waiting = [];
    screen.draw(
      blocks.flatMap((block) => blockLines(block, width(), look)),
      live(),
    );
  }

  function live(): Live {
    const most = Math.max(4, terminal.rows - 1);
    const below = bottom(width(), most);
    const size = { width: width(), height: most - below.lines.length };
    const above = liveLines(view, beside(), size, look, now());
    const { row, column } = below.cursor;
    return {
      lines: [...above, ...below.lines],
      cursor: { row: above.length + row, column: Math.min(column, width()) },
    };
  }

  function show(...blocks: readonly Block[]): void {
    shortened = blocks.findLast(({ type }) => type === 'thought' || type === 'call') ?? shortened;
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
      if (lines !== undefined) screen.draw(lines, live());
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
      frames.flush();
      screen.clear();
      away = true;
    },
    back() {
      away = false;
      screen.forget();
      frames.request();
    },
    close() {
      frames.flush();
      frames.stop();
      clearInterval(clock);
      screen.clear();
    },
  };
}
