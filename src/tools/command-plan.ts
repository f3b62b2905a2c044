import type { ActionOutcome, ActionPlan, ToolContext } from '../tool/tool.ts';
import { type Command, type CommandResult, runCommand, type ShellSettings } from './command.ts';
import { runInView } from './command-view.ts';

/** A command as a plan: run as it is or in a view, as the settings say, or tried out in one. */
export function commandPlan(
  settings: ShellSettings,
  context: ToolContext,
  command: Command,
  describe: (result: CommandResult) => ActionOutcome,
): ActionPlan {
  const { views } = settings;
  const plain = async () => describe(await runCommand(settings, context, command));
  const plan = { type: 'action', preview: command.command } as const;
  if (views === undefined) return { ...plan, run: plain };
  const viewed = async (rehearsed: boolean) => {
    const found = await views.find();
    if ('reason' in found) return withNote(await plain(), `note: ran on the workspace itself: ${found.reason}.`);
    return runInView({ settings, views, found, context, command, describe, rehearsed });
  };
  const problem = async () => {
    const found = await views.find();
    return 'reason' in found ? found.reason : undefined;
  };
  return {
    ...plan,
    run: views.always ? () => viewed(false) : plain,
    rehearsal: { first: views.preview, problem, run: () => viewed(true) },
  };
}

function withNote(outcome: ActionOutcome, note: string): ActionOutcome {
  return { ...outcome, text: `${outcome.text}\n${note}` };
}
