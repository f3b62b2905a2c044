import { sep } from 'node:path';
import type { Deed } from './deed.ts';
import type { Refusal } from './refusal.ts';

/**
 * What benchdog keeps for itself and its user (settings, keys, grants, journals, logs) is neither read nor changed by a
 * call, whatever rows and `--approve` say: a call that could write a grant could write its own leave.
 */
export function refuseOwnFiles(own: readonly string[], deed: Deed): Refusal | undefined {
  if (own.length === 0 || deed.kind === 'execute' || deed.kind === 'network') return undefined;
  const touched = deed.faces.some((face) => face.safe.some((name) => isOwn(own, name)));
  return touched ? refusal : undefined;
}

/** The files that this session's rules come from may be read, and are changed by nobody but the user. */
export function refuseSettings(settings: readonly string[], deed: Deed): Refusal | undefined {
  if (settings.length === 0 || (deed.kind !== 'write' && deed.kind !== 'delete')) return undefined;
  const touched = deed.faces.some((face) => face.safe.some((name) => settings.some((file) => holds(name, file))));
  return touched ? settingsRefusal : undefined;
}

/** Is it the file, or a folder around it? */
function holds(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}${sep}`);
}

const settingsRefusal: Refusal = {
  decision: 'deny',
  by: 'built-in: settings',
  reason: 'the rules of this session stand there. Ask the user to change them',
};

/** Is an absolute path one of those, or below one? */
export function isOwn(own: readonly string[], path: string): boolean {
  return own.some((one) => path.startsWith(one) && (path.length === one.length || path[one.length] === sep));
}

const refusal: Refusal = {
  decision: 'deny',
  by: 'built-in: own files',
  reason: 'these are the settings, keys and logs of benchdog itself. Ask the user to look at them, or to change them',
};
