import { asToolError } from '../../base/error.ts';
import type { Answer, ApprovalRequest } from '../../gate/approver.ts';
import type { GrantTerms } from '../../gate/grants.ts';
import { approvalRows, approvalTitle } from './approval-rows.ts';
import type { Dialog } from './dialog.ts';
import { hunkDialog } from './hunk-dialog.ts';
import { isKey } from './keys.ts';
import { lineInput } from './line-input.ts';
import { picker } from './picker.ts';
import { windowOf } from './row-view.ts';
import { cut, shownLine, wrap } from './text.ts';
import type { Theme } from './theme.ts';

export interface ApprovalOptions {
  readonly request: ApprovalRequest;
  readonly theme: Theme;
  /** Lets the person edit the proposal elsewhere: other arguments, or undefined when they are as before. What it throws is told. */
  edit(request: ApprovalRequest): Promise<unknown>;
  /** Esc: the whole turn is to end. */
  abort(): void;
  onChange(): void;
  done(answer: Answer): void;
}

/** An approval: what is to happen, whole and scrollable, and the keys that decide it. */
export function approvalDialog(options: ApprovalOptions): Dialog {
  const { request, theme, done } = options;
  let rows = approvalRows(request, theme);
  const hunks = request.hunks?.() ?? [];
  let inner: Dialog | undefined;
  let from = 0;
  let page = 10;
  const enter = (dialog: Dialog | undefined) => {
    inner = dialog;
    options.onChange();
  };
  const refuse = (reason?: string) => done(reason?.trim() ? { type: 'no', reason: reason.trim() } : { type: 'no' });

  const askPattern = () => {
    const { always } = request.verdict;
    if (always === undefined) return;
    const question = `Allow ${request.tool} without asking, for what matches:`;
    const take = (text: string | undefined) => (text?.trim() ? askTerms(text.trim()) : enter(undefined));
    enter(lineInput({ question, initial: always, hint: 'enter goes on, esc back', ...common, done: take }, theme));
  };
  const askTerms = (pattern: string) => {
    const take = (chosen: readonly number[] | undefined) => {
      if (chosen === undefined) enter(undefined);
      else done({ type: 'always', pattern, ...terms[chosen[0]!]!.terms });
    };
    enter(picker({ question: `Allow ${request.tool} ${pattern}`, choices: terms, done: take }, theme));
  };
  const askReason = () => {
    const question = 'Why not? The model is told; leave it empty to say nothing.';
    const take = (text: string | undefined) => (text === undefined ? enter(undefined) : refuse(text));
    enter(lineInput({ question, hint: 'enter denies, esc back', ...common, done: take }, theme));
  };
  const askHunks = () => {
    if (hunks.length < 2) return;
    enter(
      hunkDialog(
        { hunks, done: (ids) => (ids === undefined ? enter(undefined) : done({ type: 'hunks', ids })) },
        theme,
      ),
    );
  };
  const common = { onChange: options.onChange };
  const edit = () => {
    const take = (args: unknown) =>
      args === undefined ? options.onChange() : done({ type: 'replace', arguments: args });
    void options.edit(request).then(take, fail);
  };
  const fail = (error: unknown) => {
    const problem = `Not edited: ${asToolError(error).message}`;
    rows = approvalRows({ ...request, problem }, theme);
    from = 0;
    options.onChange();
  };

  return {
    cancel: () => done({ type: 'no' }),
    key(sequence) {
      if (inner !== undefined) return inner.key(sequence);
      if (isKey(sequence, 'y')) done({ type: 'once' });
      else if (isKey(sequence, 'p') && request.canRehearse === true) done({ type: 'rehearse' });
      else if (isKey(sequence, 'a')) askPattern();
      else if (isKey(sequence, 'n')) askReason();
      else if (isKey(sequence, 'h')) askHunks();
      else if (isKey(sequence, 'e')) edit();
      else if (isKey(sequence, 'ctrl+c')) refuse();
      else if (isKey(sequence, 'escape')) options.abort();
      else from = Math.max(0, from + scrolled(sequence, page));
    },
    render(width, height) {
      if (inner !== undefined) return inner.render(width, height);
      const head = [theme.paint('strong', cut(approvalTitle(request), width))];
      // Where there is little room, all of it is for what is to be approved.
      if (height > 8) head.unshift(theme.paint('warn', theme.glyphs.rule.repeat(width)));
      const keys = wrap(theme.paint('accent', keysOf(request, hunks.length > 1, theme)), width);
      const view = windowOf(rows, from, width, Math.max(1, height - head.length - keys.length - 1));
      from = view.from;
      page = Math.max(1, view.to - view.from);
      const hidden = view.to - view.from < rows.length;
      const more = `rows ${view.from + 1}-${view.to} of ${rows.length}; ${theme.glyphs.up} ${theme.glyphs.down} and page keys scroll`;
      const note = hidden ? [theme.paint('warn', cut(more, width))] : [];
      return { lines: [...head, ...view.lines, ...note, ...keys] };
    },
  };
}

/** How far an *always* may go. */
const terms: readonly { readonly label: string; readonly terms: GrantTerms }[] = [
  { label: 'for this session', terms: {} },
  { label: 'five more times', terms: { uses: 5 } },
  { label: 'for half an hour', terms: { minutes: 30 } },
  { label: 'for good, in this folder', terms: { stored: true } },
];

function scrolled(sequence: string, page: number): number {
  if (isKey(sequence, 'down', 'j')) return 1;
  if (isKey(sequence, 'up', 'k')) return -1;
  if (isKey(sequence, 'pageDown', 'space')) return page;
  if (isKey(sequence, 'pageUp')) return -page;
  if (isKey(sequence, 'end')) return Number.MAX_SAFE_INTEGER;
  return isKey(sequence, 'home') ? -Number.MAX_SAFE_INTEGER : 0;
}

function keysOf({ verdict, rehearsed, canRehearse }: ApprovalRequest, byHunk: boolean, { glyphs }: Theme): string {
  const { always } = verdict;
  const keys = [
    rehearsed === undefined ? 'y once' : 'y make it so',
    ...(canRehearse === true ? ['p preview'] : []),
    ...(always === undefined ? [] : [`a always ${shownLine(always)}`]),
    ...(byHunk ? ['h by hunk'] : []),
    'e edit',
    'n no',
    'esc stop',
  ];
  return keys.join(` ${glyphs.dot} `);
}
