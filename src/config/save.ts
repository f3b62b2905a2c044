import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { writeStateFile } from '../base/state-file.ts';
import type { Home } from './home.ts';
import type { Config } from './schema.ts';

/** Values for keys of the configuration; undefined takes a key out. */
export type Settings = { readonly [K in keyof Config]?: Config[K] | undefined };

/** Sets keys of the user's own configuration file; its comments and everything else in it stay. Returns the file. */
export async function saveSettings(home: Home, settings: Settings): Promise<string> {
  const file = join(home.config, 'config.json');
  let text = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
  for (const [key, value] of Object.entries(settings)) {
    text = applyEdits(text, modify(text, [key], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
  }
  await writeStateFile(file, Buffer.from(text));
  return file;
}
