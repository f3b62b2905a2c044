import { isTooDeep } from '../base/json-depth.ts';

/**
 * Notices a model that repeats itself: the same tool with identical arguments, the third time in a turn. Only repeats
 * count between which nothing else happened that could make a difference: no change was committed, no other command
 * ran and no person spoke.
 */
export interface RepeatGuard {
  /** Counts the call and says whether it is one too many. */
  tooMany(tool: string, args: unknown): boolean;
  /** A change was committed, or a person spoke: whatever is asked now may have another answer. */
  reset(): void;
  /** A command ran: every other call may have another answer now, the same command run again has not earned one. */
  ran(tool: string, args: unknown): void;
}

const limit = 3;
const exempt = new Set(['bash_output']);

export function createRepeatGuard(): RepeatGuard {
  const counts = new Map<string, number>();
  return {
    tooMany(tool, args) {
      if (exempt.has(tool)) return false;
      const key = keyOf(tool, args);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count >= limit;
    },
    reset: () => counts.clear(),
    ran(tool, args) {
      const key = keyOf(tool, args);
      const count = counts.get(key);
      counts.clear();
      if (count !== undefined) counts.set(key, count);
    },
  };
}

/** The same text for the same arguments, whatever the order of their fields or the blanks between them. */
function keyOf(tool: string, args: unknown): string {
  return `${tool} ${canonical(typeof args === 'string' ? parsed(args) : args)}`;
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}
