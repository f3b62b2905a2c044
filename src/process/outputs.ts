import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../base/remove-tree.ts';

/** The folder of a session's whole outputs, which the model reads as `@output/ID`. */
export function outputsFolder(home: string, session: string): string {
  return join(home, 'outputs', session);
}

/** Removes a session's whole outputs. */
export function removeOutputs(home: string, session: string): void {
  removeTree(outputsFolder(home, session));
}

/** At the end of a session: its outputs stay only when there is a log, by which it can be gone on with. */
export function endOutputs(home: string, session: string): void {
  if (!hasLog(home, session)) removeOutputs(home, session);
}

const abandonedMs = 86_400_000;

/** Removes what sessions without a log left a day ago or earlier, because they could not end in order. */
export function removeAbandonedOutputs(home: string, now = Date.now()): void {
  for (const session of namesIn(join(home, 'outputs'))) {
    const changed = statSync(outputsFolder(home, session), { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > abandonedMs) endOutputs(home, session);
  }
}

function hasLog(home: string, session: string): boolean {
  return existsSync(join(home, 'sessions', `${session}.jsonl`));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
