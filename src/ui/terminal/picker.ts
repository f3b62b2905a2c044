import type { Dialog } from './dialog.ts';
import { isKey } from './keys.ts';
import { cut, hang, shown, shownLine } from './text.ts';
import type { Theme } from './theme.ts';

export interface Choice {
  readonly label: string;
  readonly detail?: string | undefined;
}

export interface PickerOptions {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly multiple?: boolean;
  /** The indexes that were chosen; undefined when it was dismissed. */
  readonly done: (chosen: readonly number[] | undefined) => void;
}

/** A question with choices: up, down, digits; space marks where several may be taken; enter takes, esc dismisses. */
export function picker(options: PickerOptions, theme: Theme): Dialog {
  const { choices, multiple = false, done } = options;
  const marked = new Set<number>();
  let at = 0;
  const move = (by: number) => {
    at = Math.min(choices.length - 1, Math.max(0, at + by));
  };
  const mark = (index: number) => {
    if (!marked.delete(index)) marked.add(index);
  };
  const take = () => done(multiple && marked.size > 0 ? [...marked].sort((a, b) => a - b) : [at]);
  return {
    cancel: () => done(undefined),
    key(sequence) {
      if (isKey(sequence, 'escape', 'ctrl+c')) done(undefined);
      else if (isKey(sequence, 'up', 'k', 'ctrl+p')) move(-1);
      else if (isKey(sequence, 'down', 'j', 'ctrl+n', 'tab')) move(1);
      else if (isKey(sequence, 'pageUp')) move(-10);
      else if (isKey(sequence, 'pageDown')) move(10);
      else if (multiple && isKey(sequence, 'space')) mark(at);
      else if (isKey(sequence, 'enter')) take();
      else if (/^[1-9]$/.test(sequence) && Number(sequence) <= choices.length) {
        at = Number(sequence) - 1;
        if (multiple) mark(at);
        else take();
      }
    },
    render(width, height) {
      const head = shown(options.question)
        .split('\n')
        .flatMap((line) => hang('', theme.paint('strong', line), width))
        .slice(0, Math.max(1, height - 4));
      const room = Math.max(1, height - head.length - 2);
      const from = Math.min(Math.max(0, at - Math.floor(room / 2)), Math.max(0, choices.length - room));
      const rows = choices
        .slice(from, from + room)
        .map((choice, index) => row(choice, from + index, { at, marked, multiple }, width, theme));
      const more = choices.length > room ? ` ${theme.glyphs.dot} ${at + 1} of ${choices.length}` : '';
      const keys = multiple ? 'space marks, enter takes, esc dismisses' : 'enter takes, esc dismisses';
      return { lines: [...head, ...rows, theme.paint('muted', cut(keys + more, width))] };
    },
  };
}

function row(
  { label, detail }: Choice,
  index: number,
  state: { at: number; marked: ReadonlySet<number>; multiple: boolean },
  width: number,
  { paint, glyphs }: Theme,
): string {
  const here = index === state.at;
  const box = state.multiple ? (state.marked.has(index) ? '[x] ' : '[ ] ') : '';
  const number = index < 9 ? `${index + 1} ` : '  ';
  const name = here ? paint('accent', shownLine(label)) : shownLine(label);
  const tail = detail === undefined ? '' : paint('muted', `  ${shownLine(detail)}`);
  return cut(`${here ? paint('accent', glyphs.prompt) : ' '} ${number}${box}${name}${tail}`, width, glyphs.more);
}
