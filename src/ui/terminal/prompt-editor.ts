import { type AutocompleteProvider, CURSOR_MARKER, Editor, type TUI } from '@earendil-works/pi-tui';
import { droppedImages } from './dropped.ts';
import type { Cursor } from './screen.ts';
import { widthOf } from './text.ts';
import type { Theme } from './theme.ts';
import { drawVeiled, unveil, veil } from './veil.ts';

/** The input: several lines, words, a kill ring, undo, history, completions, and pastes that stay what they are. */
export interface PromptEditor {
  /** What is typed, pastes in full. */
  text(): string;
  set(text: string): void;
  /** Puts text where the cursor stands. */
  insert(text: string): void;
  key(sequence: string): void;
  /** A prompt of before, to be found with the up key. */
  remember(text: string): void;
  /** Those of earlier runs, oldest first; taken once. */
  recall(texts: readonly string[]): void;
  completeWith(provider: AutocompleteProvider): void;
  /** True while a list of completions takes the keys. */
  completing(): boolean;
  render(width: number): { readonly lines: string[]; readonly cursor: Cursor };
}

export interface PromptEditorOptions {
  readonly theme: Theme;
  readonly rows: () => number;
  onSubmit(text: string): void;
  /** Something came up outside of a key press, such as completions. */
  onChange(): void;
}

/** A whole paste, between its marks. */
const paste = /^(\x1b\[200~)([\s\S]*)(\x1b\[201~)$/;

export function createPromptEditor(options: PromptEditorOptions): PromptEditor {
  const { theme } = options;
  // All that the editor wants of a whole user interface.
  const host = {
    requestRender: options.onChange,
    terminal: {
      get rows() {
        return options.rows();
      },
    },
  } as unknown as TUI;
  const editor = new Editor(host, editorTheme(theme), { autocompleteMaxVisible: 8 });
  editor.focused = true;
  editor.onSubmit = (text) => options.onSubmit(unveil(text));
  let recalled = false;
  const remember = (text: string) => editor.addToHistory(veil(text));
  return {
    text: () => unveil(editor.getExpandedText()),
    set: (text) => editor.setText(veil(text)),
    insert: (text) => editor.insertTextAtCursor(veil(text)),
    key(sequence) {
      const dropped = droppedImages(sequence);
      if (dropped === undefined) editor.handleInput(typed(sequence));
      else editor.insertTextAtCursor(veil(dropped));
    },
    remember,
    recall(texts) {
      if (!recalled) texts.forEach(remember);
      recalled = true;
    },
    completeWith: (provider) => editor.setAutocompleteProvider(veiledCompletions(provider)),
    completing: () => editor.isShowingAutocomplete(),
    render: (width) => placed(editor.render(width), theme),
  };
}

/** Text that was pasted, or one character of it that was typed; keys stay what they are. */
function typed(sequence: string): string {
  const [, begin, text, end] = paste.exec(sequence) ?? [];
  if (text !== undefined) return begin + veil(text) + end;
  return sequence.length === 1 && sequence > '\u007f' ? veil(sequence) : sequence;
}

function veiledCompletions(provider: AutocompleteProvider): AutocompleteProvider {
  return {
    ...provider,
    applyCompletion(...given) {
      const made = provider.applyCompletion(...given);
      return { ...made, lines: made.lines.map(veil) };
    },
  };
}

function editorTheme({ paint, glyphs }: Theme) {
  return {
    borderColor: (text: string) => paint('muted', text.replaceAll('─', glyphs.rule)),
    selectList: {
      selectedPrefix: (text: string) => paint('accent', text),
      selectedText: (text: string) => paint('accent', text),
      description: (text: string) => paint('muted', text),
      scrollInfo: (text: string) => paint('muted', text),
      noMatch: (text: string) => paint('muted', text),
    },
  };
}

/** The drawn cursor's marks, which are no part of the line. */
const drawnCursor = /\x1b_pi:\/?fc\x07/g;

/** Takes the cursor's marks out of the lines; the terminal's own cursor stands there instead. */
function placed(rendered: readonly string[], theme: Theme): { lines: string[]; cursor: Cursor } {
  let cursor = { row: 0, column: 0 };
  const lines = rendered.map((line, row) => {
    const at = line.indexOf(CURSOR_MARKER);
    if (at >= 0) cursor = { row, column: widthBefore(line.slice(0, at)) };
    const text = line.replace(CURSOR_MARKER, '').replaceAll(drawnCursor, '');
    return drawVeiled(text, theme.color ? '→' : ' ').trimEnd();
  });
  return { lines, cursor };
}

function widthBefore(text: string): number {
  return widthOf(drawVeiled(text, ' '));
}
