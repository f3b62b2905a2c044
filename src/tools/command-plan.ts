import type { NoViews, Views } from '../process/views.ts';
import type { ActionOutcome, ActionPlan, ToolContext } from '../tool/tool.ts';
import { type Command, type CommandResult, runCommand, type ShellSettings, type ViewSettings } from './command.ts';
import { runInView } from './command-view.ts';

/** A command as a plan: run as it is or in a view, as the settings say, or tried out in one. */
export function commandPlan(
  settings: ShellSettings,
  context: ToolContext,
  command: Command,
  describe: (result: CommandResult) => ActionOutcome,
): ActionPlan {
  const { views } = settings;
  const plain = () => watched(settings, context, async () => describe(await runCommand(settings, context, command)));
  const plan = { type: 'action', preview: command.command } as const;
  if (views === undefined) return { ...plan, run: plain };
  const viewed = async (rehearsed: boolean) => {
    const found = await usable(views);
    if ('reason' in found) return withNote(await plain(), `note: ran on the workspace itself: ${found.reason}.`);
    return runInView({ settings, views, found, context, command, describe, rehearsed });
  };
  const problem = async () => {
    const found = await usable(views);
    if ('reason' in found) return found.reason;
    const { name, reason = '' } = await views.isolated();
    return name === 'none' ? `without a sandbox it could change files elsewhere (${reason})` : undefined;
  };
  return {
    ...plan,
    run: views.always ? () => viewed(false) : plain,
    rehearsal: { first: views.preview, problem, run: () => viewed(true) },
  };
}

/** What is mounted may change from one command to the next. */
async function usable({ find }: ViewSettings): Promise<Views | NoViews> {
  const found = await find();
  const reason = 'reason' in found ? undefined : found.problem();
  return reason === undefined ? found : { reason };
}

/** Runs a command on the workspace itself, and notices what it changes there. */
async function watched(
  { watch }: ShellSettings,
  { signal }: ToolContext,
  work: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const watching = await watch?.begin(signal);
  const outcome = await work();
  if (watching === undefined) return outcome;
  // What an interrupted command did is to be noticed too.
  const { changes, lost } = await watching.end(new AbortController().signal);
  const noticed = { ...outcome, noticed: changes };
  if (lost.length === 0) return noticed;
  const more = lost.length > 3 ? ` and ${lost.length - 3} more` : '';
  return withNote(
    noticed,
    `note: undo can't take back what it did to ${lost.slice(0, 3).join(', ')}${more} (too large, or not to be read).`,
  );
}

function withNote(outcome: ActionOutcome, note: string): ActionOutcome {
  return { ...outcome, text: `${outcome.text}\n${note}` };
}
