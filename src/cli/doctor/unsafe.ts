import { lstatSync } from 'node:fs';
import type { Home } from '../../config/home.ts';
import { keysFile } from '../../config/keys.ts';
import type { Loaded } from '../../config/load.ts';
import { enabledGuards, guardNames } from '../../gate/guards.ts';
import { lintRows } from '../../gate/lint.ts';
import type { Check } from './check.ts';

/** What the settings leave open: guards that are off, rows that allow too much, keys that others may read. */
export function unsafeSettings({ config, rows }: Loaded, home: Home, dialect = config.dialect): readonly Check[] {
  const found: Check[] = [
    ...guardsOff(config.plugins),
    ...lintRows(rows).map(({ message }) => warning('rules', message)),
    ...openKeys(home),
    ...(dialect === 'rousseau' && config.approver?.mode === 'allow_all'
      ? [warning('approver', 'mode allow_all: every call is allowed unasked')]
      : []),
  ];
  return found.length > 0 ? found : [{ name: 'settings', state: 'ok', text: 'nothing unsafe found' }];
}

function guardsOff(plugins: readonly string[] | undefined): Check[] {
  const on = enabledGuards(plugins);
  return guardNames.filter((name) => !on.has(name)).map((name) => warning('plugins', `${name} is switched off`));
}

function openKeys(home: Home): Check[] {
  const stats = lstatSync(keysFile(home), { throwIfNoEntry: false });
  if (process.platform === 'win32' || stats === undefined || (stats.mode & 0o077) === 0) return [];
  return [warning('keys', `${keysFile(home)} can be read by others: chmod 600 it`)];
}

function warning(name: string, text: string): Check {
  return { name, state: 'warn', text };
}
