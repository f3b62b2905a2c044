import type { Part } from '../model/model.ts';

/** Makes the ids of an answer's calls legal for every provider and unique in the session; providers repeat and omit them. */
export function uniqueCallIds(parts: readonly Part[], taken: Set<string>): Part[] {
  return parts.map((part) => {
    if (part.type !== 'call') return part;
    const callId = freeId(part.callId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 56) || 'call', taken);
    taken.add(callId);
    return callId === part.callId ? part : { ...part, callId };
  });
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}
