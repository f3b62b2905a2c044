import { shownName } from '../base/shown-name.ts';
import { plural } from '../base/text.ts';
import type { SearchTrouble } from '../workspace/search.ts';

const mostNamed = 3;

/** What a search or a walk could not look at, one line each; empty when it looked at everything. */
export function troubleNotes({ unreadable, unspellable, ignored = [] }: SearchTrouble): string[] {
  const notes = ignored.map((path) => `[${shownName(path)} is ignored; set includeIgnored to search it]`);
  if (unreadable.length > 0) {
    const named = unreadable.slice(0, mostNamed).map(shownName).join(', ');
    const more = unreadable.length > mostNamed ? ', …' : '';
    notes.push(`[${plural(unreadable.length, 'path')} could not be read: ${named}${more}]`);
  }
  if (unspellable > 0) notes.push(`[${plural(unspellable, 'file')} left out: the name is not UTF-8]`);
  return notes;
}

/** Rows and notes as one text; `none` when there are no rows. */
export function resultText(rows: readonly string[], notes: readonly string[], none: string): string {
  return [...(rows.length === 0 ? [none] : rows), ...notes].join('\n');
}
