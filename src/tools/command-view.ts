import { ToolError } from '../base/error.ts';
import type { ChangeSummary } from '../change/change.ts';
import { summarize } from '../change/diff.ts';
import { type OverlayReading, readOverlay } from '../change/overlay.ts';
import type { Swaps } from '../change/swap.ts';
import { showSwaps } from '../change/swap-show.ts';
import { type RunResult, run } from '../process/run.ts';
import type { View } from '../process/view.ts';
import type { Views } from '../process/views.ts';
import { writtenSince } from '../process/written-since.ts';
import type { ActionOutcome, PendingView, ToolContext } from '../tool/tool.ts';
import { type Command, type CommandResult, commandOptions, type ShellSettings, type ViewSettings } from './command.ts';

export interface ViewRun {
  readonly settings: ShellSettings;
  readonly views: ViewSettings;
  readonly found: Views;
  readonly context: ToolContext;
  readonly command: Command;
  readonly describe: (result: CommandResult) => ActionOutcome;
  /** True: without network, and a person decides what becomes of it. */
  readonly rehearsed: boolean;
}

/** Runs a command on a view of the workspace and reads what it did; nothing of that has happened yet. */
export async function runInView(viewRun: ViewRun): Promise<ActionOutcome> {
  const { view, command } = await prepared(viewRun);
  let keeps = false;
  try {
    const result = await command();
    const begunAt = view.begunAt();
    if (begunAt === undefined) throw notMade(result);
    const { real: root } = viewRun.context.workspace.root;
    const reading = await readOverlay({ ...view, root, begunAt });
    const outcome = viewRun.describe(result);
    if (failed(result) && viewRun.views.failed === 'drop' && !viewRun.rehearsed) return dropped(outcome, reading);
    if (reading.overtaken.length === 0) {
      keeps = true;
      const notes = [...reading.notes, ...oneStepNote(result), ...outsideNote(viewRun, begunAt)];
      return await proposed(outcome, { ...reading, notes }, view, viewRun);
    }
    keeps = true;
    return overtaken(outcome, reading, view, viewRun);
  } catch (error) {
    keeps = false;
    throw error;
  } finally {
    if (!keeps) void view.remove();
  }
}

/** The view that a command is to run in, and running it. */
async function prepared({ settings, views, context, command, rehearsed, found }: ViewRun) {
  const chosen = rehearsed ? { ...settings, sandbox: views.isolated } : settings;
  const { options, sandbox } = await commandOptions(chosen, context, command);
  const env = { ...options.env, ...gitInView };
  const view = found.open({ sandboxed: sandbox === 'bubblewrap', network: !rehearsed, env });
  return {
    view,
    command: async (): Promise<CommandResult> => {
      const result = await run({ ...options, env, ...view.enter(options) });
      return { ...result, ...(sandbox === undefined ? {} : { sandbox }) };
    },
  };
}

/**
 * A `git status` alone would rewrite the index to remember what it saw, and so count as a change. And a view is a file
 * system of its own, beyond which git does not look for a repository unless told to.
 */
const gitInView = { GIT_OPTIONAL_LOCKS: '0', GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' };

function notMade({ stderr, stdout }: RunResult): ToolError {
  return new ToolError(
    'failed',
    `The view could not be made: ${(stderr.head || stdout.head).trim()}. Nothing was run.`,
  );
}

/** Programs report it in their own words, but the system's are among them. */
function oneStepNote(result: RunResult): readonly string[] {
  const said = `${result.stderr.head}${result.stderr.tail}`;
  if (!failed(result) || !/EXDEV|cross-device link/i.test(said)) return [];
  return [
    'in a view a folder of the workspace can’t be renamed in one step (EXDEV). mv does it by copying; other programs may need "bash": { "view": false }.',
  ];
}

/** What the view could not hold back. */
function outsideNote({ views }: ViewRun, begunAt: bigint): readonly string[] {
  const written = writtenSince(views.outside(), begunAt);
  return written.length === 0
    ? []
    : [`outside the workspace it wrote in ${written.join(', ')}, which undo does not cover.`];
}

function failed({ ending }: RunResult): boolean {
  return ending.type !== 'exit' || ending.code !== 0;
}

function dropped(outcome: ActionOutcome, { swaps }: OverlayReading): ActionOutcome {
  return swaps.length === 0 ? outcome : withLines(outcome, ['note: it failed, so what it changed was dropped.']);
}

/** Of a rehearsal nothing is told that nobody approved. */
function overtaken(outcome: ActionOutcome, reading: OverlayReading, view: View, { rehearsed }: ViewRun): ActionOutcome {
  const paths = reading.overtaken.slice(0, 5).join(', ');
  const lines = [
    `Somebody else changed ${paths} while the command ran, so nothing of what it did was committed.`,
    `What it wrote is in ${view.upper} until the next start. Look at the files and run it again.`,
  ];
  return { ...(rehearsed ? { text: lines.join('\n') } : withLines(outcome, lines)), code: 'stale' };
}

async function proposed(
  outcome: ActionOutcome,
  { swaps, notes }: OverlayReading,
  view: View,
  { context, found, rehearsed }: ViewRun,
): Promise<ActionOutcome> {
  const shown = await showSwaps(context.workspace.root, swaps);
  const close: PendingView['close'] = (how) => {
    if (how !== 'keep') void view.remove();
    return view.upper;
  };
  const changed = rehearsed ? [] : changedLines(summarize(shown.changes));
  const lines = [...changed, ...notes.map((note) => `note: ${note}`)];
  const { changes, touched } = shown;
  const pendingView = { touched, swaps: { list: swaps, store: `${found.folder}/kept`, ...sinceOf(view) }, close };
  return { ...withLines(outcome, lines), pending: { changes, view: pendingView } };
}

function sinceOf(view: View): Pick<Swaps, 'since'> {
  const since = view.begunAt();
  return since === undefined ? {} : { since };
}

const maxLines = 20;

/** What was changed, one file a line. */
export function changedLines(changes: readonly ChangeSummary[]): string[] {
  if (changes.length === 0) return [];
  const lines = changes.slice(0, maxLines).map(({ type, path, to, added, removed }) => {
    const counts = added + removed === 0 ? '' : ` +${added} -${removed}`;
    return `  ${type} ${to === undefined ? path : `${path} -> ${to}`}${counts}`;
  });
  const more = changes.length - maxLines;
  return ['changed (undo takes it back):', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function withLines(outcome: ActionOutcome, lines: readonly string[]): ActionOutcome {
  return { ...outcome, text: [outcome.text, ...lines].join('\n') };
}
