import type { Root } from '../workspace/path.ts';
import type { Deed } from './deed.ts';
import { guardLine } from './guard.ts';
import { disk } from './guard-files.ts';
import { refuseOwned } from './protect.ts';
import type { Refusal } from './refusal.ts';
import { refuseSecrets } from './secrets.ts';
import type { ShellLine } from './shell/line.ts';
import type { JudgedEffect } from './verdict.ts';

/** The guards that come built in, on unless switched off by name. */
export const guardNames = ['guard', 'secrets', 'protect'] as const;

export type GuardName = (typeof guardNames)[number];

/** Which guards are on, given the `plugins` of all layers in order: `-guard` switches one off, `guard` on again. */
export function enabledGuards(plugins: readonly string[] = []): ReadonlySet<GuardName> {
  const on = new Set<GuardName>(guardNames);
  for (const plugin of plugins) {
    const name = guardNames.find((guard) => plugin === guard || plugin === `-${guard}`);
    if (name === undefined) continue;
    if (plugin.startsWith('-')) on.delete(name);
    else on.add(name);
  }
  return on;
}

/** What the guards that are on say of a call's deeds; nothing in the usual case. */
export function refusals(
  on: ReadonlySet<GuardName>,
  deeds: readonly Deed[],
  lines: readonly ShellLine[],
  root: Root,
): readonly JudgedEffect[] {
  const found: JudgedEffect[] = [];
  for (const deed of deeds) {
    const refusal = refuseDeed(on, deed);
    if (refusal !== undefined) found.push({ kind: deed.kind, subject: deed.subject, ...refusal });
  }
  if (!on.has('guard')) return found;
  for (const line of lines) {
    for (const { command, refusal } of guardLine(line, root))
      found.push({ kind: 'execute', subject: command, ...refusal });
  }
  return found;
}

function refuseDeed(on: ReadonlySet<GuardName>, deed: Deed): Refusal | undefined {
  if (on.has('guard') && deed.kind === 'write' && disk.test(deed.subject)) return deviceWrite;
  const secret = on.has('secrets') ? refuseSecrets(deed) : undefined;
  return secret ?? (on.has('protect') ? refuseOwned(deed) : undefined);
}

const deviceWrite: Refusal = {
  decision: 'deny',
  by: 'guard: device',
  reason: 'it writes to a disk device. Write to a file instead',
};
