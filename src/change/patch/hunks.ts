import { parseHunk } from './hunk.ts';
import type { Hunk } from './model.ts';
import { isBlank } from './text.ts';

/** Reads all hunks from `lines[at]` on; blank lines between them are nobody's. */
export function parseHunks(
  lines: readonly string[],
  at: number,
  carried: boolean,
): { hunks: readonly Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  for (let next = at; ; ) {
    let start = next;
    while (start < lines.length && isBlank(lines[start]!)) start += 1;
    if (!lines[start]?.startsWith('@@')) return { hunks, next: start };
    const read = parseHunk(lines, start, carried);
    hunks.push(read.hunk);
    next = read.next;
  }
}
