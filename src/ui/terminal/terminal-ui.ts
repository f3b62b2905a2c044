import type { AutocompleteProvider } from '@earendil-works/pi-tui';
import type { Asker } from '../../agent/ask.ts';
import type { AgentEvent, ExitCode } from '../../agent/event.ts';
import type { Approver } from '../../gate/approver.ts';
import { type ApprovalOptions, approvalDialog } from './approval-dialog.ts';
import { blockLines, wholeLines } from './block-lines.ts';
import type { Dialog } from './dialog.ts';
import { createDialogs } from './dialogs.ts';
import { follow, settle } from './follow.ts';
import { createFrames } from './frame.ts';
import { createHighlighter } from './highlight.ts';
import { isKey, isRelease } from './keys.ts';
import { lineInput } from './line-input.ts';
import { type Beside, liveLines } from './live-lines.ts';
import { createMarkdownView } from './markdown.ts';
import { type Choice, picker } from './picker.ts';
import { createPromptEditor } from './prompt-editor.ts';
import { createScreen, type Live } from './screen.ts';
import { type Status, statusLine } from './status-line.ts';
import type { Terminal } from './terminal.ts';
import type { Theme } from './theme.ts';
import { createTyping } from './typing.ts';
import { type Block, emptyView, type View } from './view.ts';

/** What the session does when keys ask for it. */
export interface Seat {
  submit(text: string): void;
  /** Esc: the turn is to end. */
  abort(): void;
  /** Ctrl-c: ends what runs. False when nothing does. */
  interrupt(): boolean;
  quit(): void;
  /** What quitting would lose beside the input; undefined: nothing. */
  loss(): string | undefined;
  nextMode(): void;
  status(): Omit<Status, 'contextTokens' | 'cost'>;
  beside(): Beside;
  edit: ApprovalOptions['edit'];
  /** What a call that is done has changed; undefined where that is not known. */
  diffOf(callId: string): string | undefined;
}

export interface TerminalUi {
  readonly approver: Approver;
  readonly ask: Asker;
  /** Who sits there: to be set before the first key. */
  seat(seat: Seat): void;
  /** Shows a turn; resolves with its exit code when it is over. */
  follow(events: AsyncIterable<AgentEvent>): Promise<ExitCode>;
  event(event: AgentEvent): void;
  show(...blocks: readonly Block[]): void;
  /** Something that is shown has changed. */
  refresh(): void;
  pick(question: string, choices: readonly Choice[]): Promise<number | undefined>;
  askText(question: string, options?: { initial?: string; hidden?: boolean }): Promise<string | undefined>;
  view(): View;
  /** Forgets what belongs to a session: tokens, tasks. */
  reset(): void;
  input(): string;
  setInput(text: string): void;
  remember(text: string): void;
  completeWith(provider: AutocompleteProvider): void;
  /** Gives the terminal to another program for a while. */
  away<T>(use: () => Promise<T>): Promise<T>;
  redraw(): void;
  close(): Promise<void>;
}

export interface TerminalUiOptions {
  readonly terminal: Terminal;
  readonly theme: Theme;
  readonly now?: () => number;
}

/** How long a second ctrl-c counts as the second of two, in milliseconds. */
const twiceMs = 3000;

/** Takes the terminal until `close`. */
export function openTerminalUi({ terminal, theme, now = Date.now }: TerminalUiOptions): TerminalUi {
  const highlighter = createHighlighter(theme);
  const look = { theme, markdown: createMarkdownView(theme, highlighter) };
  const screen = createScreen((text) => terminal.write(text));
  const frames = createFrames(draw);
  const dialogs = createDialogs(() => frames.request());
  const typing = createTyping(() => frames.request());
  const editor = createPromptEditor({
    theme,
    rows: () => terminal.rows,
    onSubmit: (text) => void (text.trim() !== '' && seat?.submit(text)),
    onChange: () => frames.request(),
  });
  let seat: Seat | undefined;
  let view = emptyView;
  let finished: Block[] = [];
  let last: Block | undefined;
  let away = false;
  let warned = Number.NEGATIVE_INFINITY;
  let hint = '';
  const tick = setInterval(() => view.busy && frames.request(), 1000);
  tick.unref();

  // The last column stays empty: what a terminal does behind it differs.
  const width = () => Math.max(10, terminal.columns - 1);

  function draw(): void {
    if (away) return;
    const step = settle(view);
    view = step.view;
    const blocks = [...finished, ...step.blocks];
    finished = [];
    screen.draw(
      blocks.flatMap((block) => blockLines(block, width(), look)),
      liveNow(),
    );
  }

  function liveNow(): Live {
    const most = Math.max(4, terminal.rows - 1);
    const status = statusNow();
    const { lines: input, cursor } = inputNow(most - 1);
    const beside = seat?.beside() ?? { jobs: [], queue: [] };
    const height = most - input.length - 1;
    const above = liveLines(view, beside, { width: width(), height }, look, now());
    const lines = [...above, ...input, status];
    return { lines, cursor: { row: above.length + cursor.row, column: Math.min(cursor.column, width()) } };
  }

  function inputNow(most: number): Live {
    const dialog = dialogs.current();
    if (dialog !== undefined && typing.settled()) {
      const { lines, cursor } = dialog.render(width(), Math.max(3, most - 2));
      return { lines, cursor: cursor ?? { row: lines.length - 1, column: 0 } };
    }
    const { lines, cursor } = editor.render(width());
    return { lines: lines.slice(0, most), cursor };
  }

  function statusNow(): string {
    if (seat === undefined) return '';
    const status = { ...seat.status(), contextTokens: view.contextTokens, cost: view.cost };
    const waits = dialogs.current() !== undefined && !typing.settled() ? 'a question waits until you stop typing' : '';
    const busy = view.busy ? 'esc stops' : '/ for commands';
    return statusLine(status, waits || hint || busy, width(), theme);
  }

  function onKey(sequence: string): void {
    if (isRelease(sequence)) return;
    const dialog = dialogs.current();
    const asked = dialog !== undefined && typing.settled();
    typing.key(dialog !== undefined);
    if (isKey(sequence, 'ctrl+z')) suspend();
    else if (asked) dialog.key(sequence);
    else ownKey(sequence);
    frames.request();
  }

  function ownKey(sequence: string): void {
    if (isKey(sequence, 'ctrl+c')) interrupt();
    else if (isKey(sequence, 'ctrl+d') && editor.text() === '') quit();
    else if (isKey(sequence, 'ctrl+o')) showLast();
    else if (isKey(sequence, 'ctrl+l')) redraw();
    else if (isKey(sequence, 'shift+tab')) seat?.nextMode();
    else if (isKey(sequence, 'escape') && !editor.completing()) seat?.abort();
    else {
      hint = '';
      editor.key(sequence);
    }
  }

  function interrupt(): void {
    if (seat?.interrupt() !== true) quit();
  }

  /** At once where nothing is lost by it, else at the second time. */
  function quit(): void {
    const lost = editor.text().trim() === '' ? seat?.loss() : 'what you typed';
    if (lost === undefined || now() - warned < twiceMs) {
      seat?.quit();
      return;
    }
    warned = now();
    hint = `again to quit; ${lost} would be lost`;
  }

  function showLast(): void {
    const lines = last === undefined ? undefined : wholeLines(last, width(), look);
    if (lines !== undefined) screen.draw(lines, liveNow());
  }

  function show(...blocks: readonly Block[]): void {
    last = blocks.findLast(({ type }) => type === 'thought' || type === 'call') ?? last;
    finished.push(...blocks);
    frames.request();
  }

  function take(event: AgentEvent): void {
    const step = follow(view, event, now());
    view = step.view;
    show(...step.blocks.map(withDiff));
  }

  function withDiff(block: Block): Block {
    if (block.type !== 'call' || block.end.type !== 'ok' || block.end.changes.length === 0) return block;
    return { ...block, diff: seat?.diffOf(block.callId) };
  }

  function redraw(): void {
    screen.forget();
    terminal.write('\x1b[2J\x1b[H');
    frames.request();
  }

  function suspend(): void {
    screen.clear();
    away = true;
    terminal.suspend(back);
  }

  function back(): void {
    away = false;
    screen.forget();
    frames.request();
  }

  function ask<T>(make: (done: (answer: T) => void) => Dialog, signal?: AbortSignal): Promise<T> {
    typing.asked();
    return dialogs.open(make, signal);
  }

  const handlers = {
    onKey,
    onResize: () => {
      screen.resized(terminal.columns);
      frames.request();
    },
  };
  terminal.start(handlers);

  return {
    approver: {
      present: true,
      ask: (request, signal) =>
        ask(
          (done) =>
            approvalDialog({
              request,
              theme,
              done,
              edit: (one) => seat?.edit(one) ?? Promise.resolve(undefined),
              abort: () => {
                seat?.abort();
                done({ type: 'no' });
              },
              onChange: () => frames.request(),
            }),
          signal,
        ),
    },
    ask: async ({ question, options, multiple }, signal) => {
      if (options.length === 0) {
        const text = await askText(question, {}, signal);
        return text === undefined ? undefined : [text];
      }
      const chosen = await ask<readonly number[] | undefined>(
        (done) => picker({ question, choices: options, multiple, done }, theme),
        signal,
      );
      return chosen?.map((index) => options[index]!.label);
    },
    seat: (given) => {
      seat = given;
      frames.request();
    },
    async follow(events) {
      let exit: ExitCode = 1;
      view = { ...view, busy: true };
      for await (const event of events) {
        take(event);
        if (event.type === 'done') exit = event.exit;
      }
      return exit;
    },
    event: take,
    show,
    refresh: () => frames.request(),
    pick: async (question, choices) =>
      (await ask<readonly number[] | undefined>((done) => picker({ question, choices, done }, theme)))?.[0],
    askText: (question, options = {}) => askText(question, options),
    view: () => view,
    reset: () => {
      view = emptyView;
      frames.request();
    },
    input: () => editor.text(),
    setInput: (text) => {
      editor.set(text);
      frames.request();
    },
    remember: (text) => editor.remember(text),
    completeWith: (provider) => editor.completeWith(provider),
    async away(use) {
      frames.flush();
      screen.clear();
      away = true;
      await terminal.stop();
      try {
        return await use();
      } finally {
        terminal.start(handlers);
        back();
      }
    },
    redraw,
    async close() {
      dialogs.cancelAll();
      frames.flush();
      frames.stop();
      clearInterval(tick);
      screen.clear();
      await terminal.stop();
    },
  };

  function askText(
    question: string,
    options: { initial?: string; hidden?: boolean },
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    return ask((done) => lineInput({ question, ...options, onChange: () => frames.request(), done }, theme), signal);
  }
}
