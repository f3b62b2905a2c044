import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openLog } from '../../base/log.ts';
import { readWholeLog } from '../../base/log-read.ts';
import { findHome, type Home } from '../../config/home.ts';
import { loadConfig } from '../../config/load.ts';
import { saveSettings } from '../../config/save.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import { openRoot } from '../../workspace/path.ts';
import type { AgentFlags, Io } from '../program.ts';

/** What a project may bring that only counts when it is trusted. */
const brought = ['.benchdog/config.json', '.benchdog/commands', '.benchdog/skills', '.agents/skills', '.claude/skills'];

/**
 * Asks, once for a folder, whether what the project brings applies. Yes goes into the user's own configuration, no is
 * remembered beside the sessions; "this time" is neither.
 */
export async function askTrust(io: Io, ui: TerminalUi, flags: AgentFlags): Promise<AgentFlags> {
  const home = findHome(io.env);
  const root = resolve(flags.root ?? '.');
  const found = brought.filter((name) => existsSync(join(root, name)));
  if (flags.trust === true || found.length === 0) return flags;
  const file = flags.config === undefined ? {} : { file: flags.config };
  const { config, trusted } = loadConfig({ root, home, env: io.env, ...file });
  const { real } = openRoot(root);
  if (trusted || wasRefused(home, real)) return flags;
  const question = `This project brings ${found.join(', ')}.\nThey can allow calls, start programs and add instructions. Do you trust ${real}?`;
  const chosen = await ui.pick(question, [
    { label: 'no', detail: 'only its deny and ask rules apply' },
    { label: 'this time' },
    { label: 'yes, from now on' },
  ]);
  if (chosen === 0) refuse(home, real);
  if (chosen === 2) await saveSettings(home, { trustedFolders: [...(config.trustedFolders ?? []), real] });
  return chosen === 1 || chosen === 2 ? { ...flags, trust: true } : flags;
}

function wasRefused(home: Home, real: string): boolean {
  return readWholeLog(refusals(home)).records.some(({ root }) => root === real);
}

function refuse(home: Home, root: string): void {
  const log = openLog(refusals(home));
  log.append({ root, at: new Date().toISOString() });
  log.close();
}

function refusals(home: Home): string {
  return join(home.state, 'not-trusted.jsonl');
}
