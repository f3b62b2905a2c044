import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { writeStateFile } from '../base/state-file.ts';
import type { Home } from './home.ts';
import type { Config } from './schema.ts';

/** Sets keys of the user's own configuration file; its comments and everything else in it stay. */
export async function saveSettings(home: Home, settings: Partial<Config>): Promise<string> {
  const file = join(home.config, 'config.json');
  let text = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
  for (const [key, value] of Object.entries(settings)) {
    text = applyEdits(text, modify(text, [key], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
  }
  await writeStateFile(file, Buffer.from(text));
  return file;
}
