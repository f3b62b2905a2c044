import type { HunkChoice } from '../../change/hunk-choice.ts';
import type { Dialog } from './dialog.ts';
import { diffRows } from './diff-rows.ts';
import { diffViews } from './diff-view.ts';
import { isKey } from './keys.ts';
import { windowOf } from './row-view.ts';
import { cut, shownLine, wrap } from './text.ts';
import type { Theme } from './theme.ts';

export interface HunkDialogOptions {
  readonly hunks: readonly HunkChoice[];
  /** The ids of those that are taken; undefined: back. */
  readonly done: (ids: readonly string[] | undefined) => void;
}

/** Hunk by hunk: y takes, n leaves out, both go on to the next; up and down go between them; enter applies those taken. */
export function hunkDialog({ hunks, done }: HunkDialogOptions, theme: Theme): Dialog {
  const taken = new Set(hunks.map(({ id }) => id));
  let at = 0;
  let from = 0;
  const go = (by: number) => {
    at = Math.min(hunks.length - 1, Math.max(0, at + by));
    from = 0;
  };
  const set = (take: boolean) => {
    if (take) taken.add(hunks[at]!.id);
    else taken.delete(hunks[at]!.id);
    go(1);
  };
  return {
    cancel: () => done(undefined),
    key(sequence) {
      if (isKey(sequence, 'escape', 'ctrl+c')) done(undefined);
      else if (isKey(sequence, 'enter')) done([...taken]);
      else if (isKey(sequence, 'y')) set(true);
      else if (isKey(sequence, 'n')) set(false);
      else if (isKey(sequence, 'space')) {
        if (!taken.delete(hunks[at]!.id)) taken.add(hunks[at]!.id);
      } else if (isKey(sequence, 'up', 'k')) go(-1);
      else if (isKey(sequence, 'down', 'j')) go(1);
      else if (isKey(sequence, 'pageDown')) from += 10;
      else if (isKey(sequence, 'pageUp')) from = Math.max(0, from - 10);
    },
    render(width, height) {
      const hunk = hunks[at]!;
      const state = taken.has(hunk.id) ? theme.paint('good', '[x] take') : theme.paint('bad', '[ ] leave out');
      const title = `hunk ${at + 1} of ${hunks.length} ${state} ${shownLine(hunk.path)}`;
      const rows = diffViews(diffRows(hunk.text), theme);
      const { dot } = theme.glyphs;
      const keys = `y take ${dot} n leave out ${dot} enter applies ${taken.size} of ${hunks.length} ${dot} esc back`;
      const hints = wrap(theme.paint('muted', keys), width);
      const room = Math.max(1, height - 1 - hints.length);
      const all = windowOf(rows, 0, width, room);
      const view = all.to < rows.length ? windowOf(rows, from, width, Math.max(1, room - 1)) : all;
      from = view.from;
      const note = `rows ${view.from + 1}-${view.to} of ${rows.length}; page keys scroll`;
      return {
        lines: [
          cut(theme.paint('strong', title), width),
          ...view.lines,
          ...(all.to < rows.length ? [theme.paint('warn', cut(note, width))] : []),
          ...hints,
        ],
      };
    },
  };
}
