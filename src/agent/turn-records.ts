import type { RanCommand } from './receipt.ts';
import { isAssistant, isResult, isUser, type ResultRecord, type SessionRecord } from './record.ts';
import { callsOf, notRun, notRunInTime } from './transcript.ts';

/** The records since the person last spoke: what belongs to the turn under way, also after a resume. */
export function turnRecords(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const begin = records.findLastIndex((record) => isUser(record) && record.kind !== 'reminder');
  return records.slice(Math.max(0, begin));
}

/** The commands that ran, oldest first; those of one result stand behind its changes. */
export function commandsSinceChange(records: readonly SessionRecord[]): RanCommand[] {
  const calls = new Map(
    records.filter(isAssistant).flatMap(({ parts }) => callsOf(parts).map((call) => [call.callId, call])),
  );
  let commands: RanCommand[] = [];
  for (const record of records.filter(isResult)) {
    if ((record.changes ?? []).length > 0) commands = [];
    const call = calls.get(record.callId);
    const command = record.tool === 'bash' && call ? commandIn(call.arguments) : undefined;
    if (command !== undefined && didRun(record)) commands.push({ command, exit: exitOf(record) });
  }
  return commands;
}

export function commandIn(json: string): string | undefined {
  try {
    const { command } = JSON.parse(json) as { command?: unknown };
    return typeof command === 'string' ? command : undefined;
  } catch {
    return undefined;
  }
}

function didRun({ code, result }: ResultRecord): boolean {
  return result !== notRun && result !== notRunInTime && code !== 'invalid' && code !== 'denied' && code !== 'outside';
}

/** Reads the first line that the shells write: `exit code: N`, or `bash: exit status N`; plain output is a success. */
export function exitOf({ result, code }: ResultRecord): number | null {
  const number = /^(?:exit code:|bash: exit status) (\d+)/.exec(result)?.[1];
  if (number !== undefined) return Number(number);
  return code === undefined && !/^started |^running in the background/i.test(result) ? 0 : null;
}
