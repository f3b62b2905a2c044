import type { AutocompleteProvider } from '@earendil-works/pi-tui';
import type { Asker } from '../../agent/ask.ts';
import type { AgentEvent, ExitCode } from '../../agent/event.ts';
import type { Approver } from '../../gate/approver.ts';
import { approvalDialog } from './approval-dialog.ts';
import type { Dialog } from './dialog.ts';
import { createDialogs } from './dialogs.ts';
import { createHighlighter } from './highlight.ts';
import { isKey, isRelease } from './keys.ts';
import { lineInput } from './line-input.ts';
import { createMarkdownView } from './markdown.ts';
import { type Choice, picker } from './picker.ts';
import { createPromptEditor } from './prompt-editor.ts';
import { createQuitting } from './quitting.ts';
import type { Live } from './screen.ts';
import type { Seat } from './seat.ts';
import { createStage, type Stage } from './stage.ts';
import { statusLine } from './status-line.ts';
import type { Terminal } from './terminal.ts';
import type { Theme } from './theme.ts';
import { createTyping } from './typing.ts';

/** A person at a terminal, for sessions one after another. */
export interface TerminalUi extends Pick<Stage, 'view' | 'event' | 'show' | 'refresh' | 'reset'> {
  /** Asks the person about calls, and for the model. */
  readonly approver: Approver;
  readonly ask: Asker;
  /** Whose keys they are from now on; undefined while one session closes and the next one opens. */
  seat(seat: Seat | undefined): void;
  /** Shows a turn; resolves with its exit code when it is over. */
  follow(events: AsyncIterable<AgentEvent>): Promise<ExitCode>;
  /** The index of what was chosen; undefined when the question was dismissed. */
  pick(question: string, choices: readonly Choice[]): Promise<number | undefined>;
  askText(question: string, options?: { readonly hidden?: boolean }): Promise<string | undefined>;
  input(): string;
  setInput(text: string): void;
  /** Puts text into the input, where the cursor stands. */
  insert(text: string): void;
  /** A prompt of before, to be found with the up key. */
  remember(text: string): void;
  /** Those of earlier runs, oldest first; taken once. */
  recall(texts: readonly string[]): void;
  completeWith(provider: AutocompleteProvider): void;
  /** Gives the terminal to another program for a while. */
  away<T>(use: () => Promise<T>): Promise<T>;
  /** Every open question is dismissed. */
  dismiss(): void;
  close(): Promise<void>;
}

export interface TerminalUiOptions {
  readonly terminal: Terminal;
  readonly theme: Theme;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Ctrl-c while no session is there to take it. */
  onInterrupt?(): void;
}

/** Loaded before they are needed, so that the first code that comes has its colours. */
const likelyLanguages = ['bash', 'json', 'python', 'typescript'];

/** Takes the terminal until `close`. */
export function openTerminalUi(options: TerminalUiOptions): TerminalUi {
  const { terminal, theme, now = Date.now } = options;
  let seat: Seat | undefined;
  const refresh = () => stage.refresh();
  const dialogs = createDialogs(refresh);
  const typing = createTyping(refresh);
  const quitting = createQuitting(() => seat?.quit());
  const editor = createPromptEditor({
    theme,
    rows: () => terminal.rows,
    onSubmit(text) {
      if (seat === undefined) editor.set(text);
      else if (text.trim() !== '') seat.submit(text);
    },
    onChange: refresh,
  });
  const highlighter = createHighlighter(theme);
  for (const language of likelyLanguages) void highlighter.load(language).catch(() => {});
  const stage = createStage({
    terminal,
    look: { theme, markdown: createMarkdownView(theme, highlighter) },
    now,
    bottom,
    beside: () => seat?.beside() ?? { jobs: [], queue: [] },
    diffOf: (callId) => seat?.diffOf(callId),
  });

  function bottom(width: number, most: number): Live {
    const dialog = typing.settled() ? dialogs.current() : undefined;
    const input = dialog === undefined ? editor.render(width) : dialog.render(width, Math.max(3, most - 2));
    const lines = input.lines.slice(0, most - 1);
    const cursor = input.cursor ?? { row: lines.length - 1, column: 0 };
    return { lines: [...lines, status(width)], cursor };
  }

  function status(width: number): string {
    const asked = dialogs.current() !== undefined;
    if (seat === undefined) return asked ? '' : theme.paint('muted', `one moment${theme.glyphs.more}`);
    const { busy, contextTokens, cost } = stage.view();
    const waits = asked && !typing.settled();
    const keys = busy ? 'esc stops' : asked ? '' : '/ for commands';
    const hint = waits ? 'a question waits until you stop typing' : quitting.hint() || keys;
    return statusLine({ ...seat.status(), contextTokens, cost }, hint, width, theme);
  }

  function onKey(sequence: string): void {
    if (isRelease(sequence)) return;
    const dialog = dialogs.current();
    const asked = dialog !== undefined && typing.settled();
    typing.key(dialog !== undefined);
    if (isKey(sequence, 'ctrl+z')) suspend();
    else if (asked) dialog.key(sequence);
    else ownKey(sequence);
    refresh();
  }

  function ownKey(sequence: string): void {
    const typed = editor.text();
    const quit = () => quitting.ask(typed.trim() === '' ? seat?.loss() : 'what you typed');
    if (!isKey(sequence, 'ctrl+c', 'ctrl+d')) quitting.forget();
    if (isKey(sequence, 'ctrl+c') && seat === undefined) options.onInterrupt?.();
    else if (isKey(sequence, 'ctrl+c')) {
      if (seat?.interrupt() !== true) quit();
    } else if (isKey(sequence, 'ctrl+d') && typed === '') quit();
    else if (isKey(sequence, 'ctrl+o')) stage.showWhole();
    else if (isKey(sequence, 'ctrl+l')) stage.redraw();
    else if (isKey(sequence, 'shift+tab')) seat?.nextMode();
    else if (isKey(sequence, 'ctrl+v', 'alt+v')) seat?.pasteImage();
    else if (isKey(sequence, 'escape') && !editor.completing()) seat?.abort();
    else editor.key(sequence);
  }

  function suspend(): void {
    stage.leave();
    terminal.suspend(() => stage.back());
  }

  function open<T>(make: (done: (answer: T) => void) => Dialog, signal?: AbortSignal): Promise<T> {
    typing.asked();
    return dialogs.open(make, signal);
  }

  const chooseOf = (question: string, choices: readonly Choice[], multiple: boolean, signal?: AbortSignal) =>
    open<readonly number[] | undefined>((done) => picker({ question, choices, multiple, done }, theme), signal);
  const textFor = (question: string, hidden: boolean, signal?: AbortSignal) =>
    open<string | undefined>((done) => lineInput({ question, hidden, onChange: refresh, done }, theme), signal);

  const approver: Approver = {
    present: true,
    ask: (request, signal) =>
      open((done) => {
        const edit: Seat['edit'] = async (one) => seat?.edit(one);
        const abort = () => {
          seat?.abort();
          done({ type: 'no' });
        };
        return approvalDialog({ request, theme, done, edit, abort, onChange: refresh });
      }, signal),
  };

  const handlers = { onKey, onResize: () => stage.resized(), onEnd: () => stage.leave() };
  terminal.start(handlers);

  return {
    view: stage.view,
    event: stage.event,
    show: stage.show,
    refresh,
    reset: stage.reset,
    approver,
    async ask({ question, options, multiple }, signal) {
      if (options.length > 0) {
        return (await chooseOf(question, options, multiple, signal))?.map((index) => options[index]!.label);
      }
      const text = await textFor(question, false, signal);
      return text === undefined ? undefined : [text];
    },
    seat(given) {
      seat = given;
      refresh();
    },
    async follow(events) {
      let exit: ExitCode = 1;
      for await (const event of events) {
        stage.event(event);
        if (event.type === 'done') exit = event.exit;
      }
      return exit;
    },
    pick: async (question, choices) => (await chooseOf(question, choices, false))?.[0],
    askText: (question, { hidden = false } = {}) => textFor(question, hidden),
    input: editor.text,
    setInput(text) {
      editor.set(text);
      refresh();
    },
    insert(text) {
      editor.insert(text);
      refresh();
    },
    remember: editor.remember,
    recall: editor.recall,
    completeWith: editor.completeWith,
    async away(use) {
      stage.leave();
      await terminal.stop();
      try {
        return await use();
      } finally {
        terminal.start(handlers);
        stage.back();
      }
    },
    dismiss: dialogs.cancelAll,
    async close() {
      dialogs.cancelAll();
      stage.close();
      await terminal.stop();
    },
  };
}
