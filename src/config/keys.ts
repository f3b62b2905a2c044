import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeStateFile } from '../base/state-file.ts';
import type { Home } from './home.ts';

/** Keys that a person stored, each by the base URL of the endpoint it was given for: it is sent nowhere else. */
export type StoredKeys = Readonly<Record<string, string>>;

/** What `benchdog login` stored; nothing when there is no file, or one that can't be read. */
export function readKeys(home: Home): StoredKeys {
  try {
    const value: unknown = JSON.parse(readFileSync(keysFile(home), 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, key]) => typeof key === 'string'));
  } catch {
    return {};
  }
}

/** Keeps a key for an endpoint in place of an earlier one. The file is the owner's alone. */
export async function storeKey(home: Home, baseUrl: string, key: string): Promise<void> {
  const keys = { ...readKeys(home), [baseUrl]: key };
  await writeStateFile(keysFile(home), Buffer.from(`${JSON.stringify(keys, null, 2)}\n`));
}

export function keysFile(home: Home): string {
  return join(home.config, 'keys.json');
}
