import { ModelError } from '../model/error.ts';
import { shownDiffsSlot } from '../tool/shown.ts';
import { changedFiles } from './changed-files.ts';
import { claimsIn, isBacked } from './claims.ts';
import type { ChangedFile, Receipt } from './receipt.ts';
import type { Turn } from './turn.ts';
import { commandsSinceChange } from './turn-records.ts';

const diffTool = 'git_diff';

/**
 * What stands against ending the turn with this answer, as a reminder for the model; undefined when nothing does or the
 * agreed number of reminders is used up.
 */
export async function objection(turn: Turn, answer: string): Promise<string | undefined> {
  const receipt = await receiptOf(turn, answer);
  const verdict = turn.agent.output?.judge(answer);
  const wrong = verdict !== undefined && 'problem' in verdict ? [verdict.problem] : [];
  const lines = [...unseenLine(receipt.files), ...claimLine(receipt), ...wrong];
  if (lines.length === 0) return undefined;
  if (turn.nudges < turn.agent.checks.maxNudges) {
    turn.nudges += 1;
    return lines.join('\n\n');
  }
  if (wrong.length > 0)
    throw new ModelError('output', `The final answer does not follow the output schema: ${wrong[0]}`);
  return undefined;
}

/** The turn's receipt as things stand, for an answer that may claim something. */
export async function receiptOf(turn: Turn, answer: string): Promise<Receipt> {
  const { agent, session } = turn;
  const files = await changedFiles({
    session,
    workspace: agent.workspace,
    journal: agent.journal,
    shown: canCheckDiffs(turn) ? agent.state.get(shownDiffsSlot) : undefined,
  });
  const commands = commandsSinceChange(session.records);
  const unbacked = canCheckClaims(turn) && !isBacked(commands);
  const claims = unbacked ? claimsIn(answer) : [];
  const verified = claims.length === 0 && files.every(({ diff }) => diff !== 'unseen');
  return { files, commands: files.length > 0 ? commands : [], claims, verified };
}

function canCheckDiffs({ agent }: Turn): boolean {
  return agent.checks.diffs && agent.gate.definitions().some(({ name }) => name === diffTool);
}

function canCheckClaims({ agent }: Turn): boolean {
  return agent.checks.claims && agent.gate.definitions().some(({ name }) => name === 'bash');
}

function unseenLine(files: readonly ChangedFile[]): string[] {
  const unseen = files.filter(({ diff }) => diff === 'unseen').map(({ path }) => path);
  if (unseen.length === 0) return [];
  const named = unseen.slice(0, 20).join(', ') + (unseen.length > 20 ? ` and ${unseen.length - 20} more` : '');
  return [
    `You changed ${named} but have not looked at the diff of that state. Call ${diffTool} (with a path where it was cut), check it, mend what is wrong, then finish.`,
  ];
}

function claimLine({ claims, commands }: Receipt): string[] {
  if (claims.length === 0) return [];
  const ran =
    commands.length === 0
      ? 'no command was run'
      : 'no command ended with 0 that shows it (a pipe or || hides the exit code)';
  return [
    `You say: "${claims[0]}", but since the last change ${ran}. Run the check itself now, or say plainly that it was not run.`,
  ];
}
