import type { Dialog } from './dialog.ts';
import { isKey } from './keys.ts';
import { createPromptEditor } from './prompt-editor.ts';
import { cut, hang, shown } from './text.ts';
import type { Theme } from './theme.ts';

export interface LineInputOptions {
  readonly question: string;
  /** What stands there to begin with. */
  readonly initial?: string;
  /** True: what is typed is not shown. */
  readonly hidden?: boolean;
  /** Shown below. */
  readonly hint?: string;
  onChange(): void;
  /** Undefined when it was dismissed. */
  readonly done: (text: string | undefined) => void;
}

/** A question answered by text: enter answers, esc dismisses. */
export function lineInput(options: LineInputOptions, theme: Theme): Dialog {
  const { done, hidden = false } = options;
  const editor = createPromptEditor({ theme, rows: () => 10, onSubmit: done, onChange: options.onChange });
  editor.set(options.initial ?? '');
  return {
    cancel: () => done(undefined),
    key(sequence) {
      if (isKey(sequence, 'escape', 'ctrl+c')) done(undefined);
      else editor.key(sequence);
    },
    render(width, height) {
      const head = hang('', theme.paint('strong', shown(options.question)), width).slice(0, Math.max(1, height - 4));
      const { lines, cursor } = editor.render(width);
      const typed = lines.slice(1, -1).map((line) => (hidden ? '*'.repeat(line.trimEnd().length) : line));
      const hint = theme.paint('muted', cut(options.hint ?? 'enter answers, esc dismisses', width));
      const row = head.length + Math.max(0, cursor.row - 1);
      return { lines: [...head, ...typed, hint], cursor: { row, column: cursor.column } };
    },
  };
}
