import type { Haystack } from './find.ts';

/** What would help when text occurs more than once: where. */
export function ambiguousHelp(lines: readonly number[], count: number): string {
  const rest = count - lines.length;
  const list = lines.join(', ');
  return `The places begin on lines ${list}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

export function absentHelp(_hay: Haystack, _oldText: string): string {
  return '';
}
