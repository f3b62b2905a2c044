import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where benchdog keeps what is not the project's: its configuration and its state. */
export interface Home {
  /** `config.json`, keys, skills. */
  readonly config: string;
  /** Journals, sessions, grants, notes, audit logs. */
  readonly state: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The platform's own folders, or everything below `BENCHDOG_HOME` when that is set.
 *
 * Linux: XDG Base Directory Specification. macOS: `~/Library/Application Support`. Windows: `%APPDATA%`, `%LOCALAPPDATA%`.
 */
export function findHome(env: Environment, platform: NodeJS.Platform = process.platform): Home {
  if (env.BENCHDOG_HOME) return { config: env.BENCHDOG_HOME, state: env.BENCHDOG_HOME };
  const user = env.HOME ?? env.USERPROFILE ?? homedir();
  if (platform === 'darwin') {
    const support = join(user, 'Library', 'Application Support', 'benchdog');
    return { config: support, state: support };
  }
  if (platform === 'win32') {
    const roaming = env.APPDATA ?? join(user, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA ?? join(user, 'AppData', 'Local');
    return { config: join(roaming, 'benchdog'), state: join(local, 'benchdog') };
  }
  return {
    config: join(env.XDG_CONFIG_HOME || join(user, '.config'), 'benchdog'),
    state: join(env.XDG_STATE_HOME || join(user, '.local', 'state'), 'benchdog'),
  };
}

/** What no tool call may read or change: settings, keys, grants, journals, logs and compiled code. Outputs and skills are read by tools. */
export function ownFiles({ config, state }: Home): readonly string[] {
  const kept = ['compiled', 'grants', 'audit', 'sessions', 'journal', 'shadow', 'notes', 'not-trusted.jsonl'];
  return [
    ...['config.json', 'keys.json', 'plugins', 'commands'].map((name) => join(config, name)),
    ...kept.map((name) => join(state, name)),
  ];
}
