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

/** Is an absolute path one of those, or below one? */
export function isOwn(own: readonly string[], path: string): boolean {
  return own.some((one) => path.startsWith(one) && (path.length === one.length || path[one.length] === sep));
}

const refusal: Refusal = {
  decision: 'deny',
  by: 'built-in: own files',
  reason: 'these are the settings, keys and logs of benchdog itself. Ask the user to look at them, or to change them',
};
