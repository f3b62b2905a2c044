import { accessSync, constants, existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sizeText } from '../../base/size.ts';
import { openJournal } from '../../change/recover.ts';
import type { Home } from '../../config/home.ts';
import { readKeys } from '../../config/keys.ts';
import type { Loaded } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { placeOf } from '../../model/providers.ts';
import { openRoot } from '../../workspace/path.ts';
import type { Check } from './check.ts';

export interface Place {
  readonly root: string;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

export function checkFiles(loaded: Loaded | Error): Check {
  const name = 'configuration';
  if (loaded instanceof Error) return { name, state: 'bad', text: loaded.message };
  const { files, rows } = loaded;
  const text = files.length === 0 ? 'no files, so the defaults apply' : `${files.join(', ')}; ${rows.length} rows`;
  return { name, state: 'ok', text };
}

export function checkTrust({ trusted, notices }: Loaded, root: string): Check {
  const name = 'trust';
  if (!existsSync(join(root, '.benchdog'))) return { name, state: 'ok', text: 'the project brings no settings' };
  if (trusted) return { name, state: 'ok', text: 'the project is trusted: its own settings apply' };
  const [ignored = 'the project is not trusted: only its deny and ask rows apply'] = notices;
  return { name, state: 'note', text: ignored };
}

/** Says whether there is a key, never which. */
export function checkModel(config: Config, { home, env }: Place): Check {
  const name = 'model';
  const { model: id, baseUrl } = config;
  if (id === undefined) return { name, state: 'note', text: 'none configured: benchdog login, or --model PROVIDER/ID' };
  if (id.startsWith('scripted:')) return { name, state: 'ok', text: id };
  try {
    const choice = { id, env, storedKeys: readKeys(home), ...(baseUrl === undefined ? {} : { baseUrl }) };
    const { baseURL, apiKey } = placeOf(choice);
    return {
      name,
      state: 'ok',
      text: `${id} at ${baseURL}, ${apiKey === undefined ? 'without a key' : 'key present'}`,
    };
  } catch (error) {
    return { name, state: 'bad', text: (error as Error).message };
  }
}

export function checkState(folder: string): Check {
  const name = 'state';
  const there = nearestExisting(folder);
  try {
    accessSync(there, constants.W_OK);
  } catch {
    return { name, state: 'bad', text: `${folder} can't be written` };
  }
  if (there !== folder) return { name, state: 'ok', text: `${folder}, not made yet` };
  if (process.platform !== 'win32' && (lstatSync(folder).mode & 0o077) !== 0) {
    return { name, state: 'warn', text: `${folder} is open to others: chmod 700 it` };
  }
  return { name, state: 'ok', text: `${folder}, ${sizeText(sizeOf(folder))}` };
}

export async function checkJournal({ root, home }: Place): Promise<Check> {
  const name = 'journal';
  try {
    const journal = await openJournal({ home: home.state, root: openRoot(root) });
    const { notices } = journal;
    const count = journal.entries().length;
    journal.close();
    const text = `${count} ${count === 1 ? 'change' : 'changes'} of this workspace can be looked at with benchdog history`;
    return notices.length === 0 ? { name, state: 'ok', text } : { name, state: 'warn', text: notices.join(' ') };
  } catch (error) {
    return { name, state: 'bad', text: (error as Error).message };
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
