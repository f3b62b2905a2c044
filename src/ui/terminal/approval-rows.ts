import { lookalikesIn } from '../../base/visible.ts';
import type { ApprovalRequest } from '../../gate/approver.ts';
import type { JudgedEffect } from '../../gate/verdict.ts';
import { diffRows } from './diff-rows.ts';
import { diffViews } from './diff-view.ts';
import { pieces, type RowView } from './row-view.ts';
import { hang, shown, shownLine, wrap } from './text.ts';
import type { Theme } from './theme.ts';

/** `edit_file wants to change src/a.ts` */
export function approvalTitle({ tool, subject, changes, repeated, rehearsed }: ApprovalRequest): string {
  const again = repeated ? ', for the third time without anything having changed' : '';
  if (changes === undefined) return `${shownLine(tool)} wants to run${again}`;
  if (rehearsed !== undefined) return `${shownLine(tool)} was tried out, and nothing is changed yet${again}`;
  const what = changes.length === 1 ? shownLine(subject) : `${changes.length} files`;
  return `${shownLine(tool)} wants to change ${what}${again}`;
}

/** What is to be approved, whole: the diff or the command, its effects, and the rule that asks. */
export function approvalRows(request: ApprovalRequest, theme: Theme): RowView[] {
  return [
    ...problemRows(request, theme),
    ...previewRows(request, theme),
    ...warningRows(request, theme),
    ...effectRows(request, theme),
  ];
}

/** Why the pattern that was just given can't be granted, or what the editor left can't be taken. */
function problemRows({ problem }: ApprovalRequest, { paint }: Theme): RowView[] {
  return problem === undefined ? [] : [(width) => wrap(paint('bad', shown(problem)), width)];
}

function previewRows(request: ApprovalRequest, theme: Theme): RowView[] {
  const { changes, preview, rehearsed, subject, notRehearsed } = request;
  if (rehearsed !== undefined) {
    const { output, diff } = rehearsed;
    return [
      ...textRows(`${subject}\n${output}\n`),
      ...(diff === '' ? textRows('It changes no file.') : diffViews(diffRows(diff), theme)),
    ];
  }
  if (changes !== undefined) return diffViews(diffRows(preview), theme);
  return textRows(notRehearsed === undefined ? preview : `${preview}\n(not a preview: ${notRehearsed})`);
}

function textRows(text: string): RowView[] {
  return text.split('\n').flatMap((line) => pieces(line).map((piece) => (width) => wrap(shown(piece), width)));
}

/** Letters that look like others: what is read is not what is done. */
function warningRows({ preview, changes, subject }: ApprovalRequest, theme: Theme): RowView[] {
  const found = lookalikesIn(changes === undefined ? preview : subject);
  return found.map(
    ({ character, code, word }) =>
      (width) =>
        wrap(theme.paint('warn', `look-alike: "${character}" in ${shownLine(word)} is ${code}`), width),
  );
}

function effectRows({ verdict }: ApprovalRequest, theme: Theme): RowView[] {
  const { effects, by, reason } = verdict;
  const asked = effects.filter(({ decision }) => decision !== 'allow');
  const others = effects.filter(({ decision }) => decision === 'allow');
  const rows = [...asked, ...others].map((effect) => effectRow(effect, theme));
  const rule = reason === undefined ? `asked by ${by}` : `asked by ${by}: ${reason}`;
  return [() => [''], ...rows, (width) => wrap(theme.paint('muted', shown(rule)), width)];
}

function effectRow({ kind, subject, decision, by }: JudgedEffect, { paint, glyphs }: Theme): RowView {
  const text = `${kind} ${shownLine(subject)} ${paint('muted', `(${decision}: ${shownLine(by)})`)}`;
  return (width) => hang(`${glyphs.dot} `, text, width);
}
