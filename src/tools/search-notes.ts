import { shownName } from '../base/shown-name.ts';
import { plural } from '../base/text.ts';
import { longestSearch, type SearchTrouble } from '../workspace/search.ts';

const mostNamed = 3;

/** What a search or a walk could not look at, one line each; empty when it looked at everything. */
export function troubleNotes(
  trouble: Pick<SearchTrouble, 'unreadable' | 'unspellable'> & Partial<SearchTrouble>,
): string[] {
  const {
    unreadable,
    unspellable,
    silent = [],
    ignored = [],
    binary = [],
    oldEncoding = [],
    overtime = false,
  } = trouble;
  const notes = ignored.map((path) => `[${shownName(path)} is ignored; set includeIgnored to search it]`);
  if (overtime) {
    notes.push(
      `[ended after ${longestSearch / 1000} s, so there may be more: narrow the pattern or where it is searched]`,
    );
  }
  if (unreadable.length > 0)
    notes.push(`[${plural(unreadable.length, 'path')} could not be read: ${named(unreadable)}]`);
  if (silent.length > 0)
    notes.push(`[${plural(silent.length, 'mount')} left out, because nothing answers there: ${named(silent)}]`);
  if (binary.length > 0) {
    notes.push(`[${plural(binary.length, 'binary file')} not searched past the first NUL byte: ${named(binary)}]`);
  }
  if (oldEncoding.length > 0) {
    notes.push(`[${plural(oldEncoding.length, 'file')} in an old encoding may hold more: ${named(oldEncoding)}]`);
  }
  if (unspellable > 0) notes.push(`[${plural(unspellable, 'file')} left out: the name is not UTF-8]`);
  return [...notes, ...unsearchedNote(trouble)];
}

/** How many files were not searched for what they are. Names would help nobody. */
function unsearchedNote({ notText, moreUnsearched }: Partial<SearchTrouble>): string[] {
  if (notText === undefined || notText.size === 0) return [];
  const count = `${moreUnsearched ? 'at least ' : ''}${plural(notText.size, 'binary file')}`;
  const were = notText.size === 1 ? 'was' : 'were';
  return [`[${count} (or UTF-16 without a byte-order mark) ${were} not searched]`];
}

function named(paths: readonly string[]): string {
  return `${paths.slice(0, mostNamed).map(shownName).join(', ')}${paths.length > mostNamed ? ', …' : ''}`;
}

/** Says that there are more than are shown, and what to do. */
export function cutNote(most: number, what: string): string {
  return `... [${most} ${what} shown, there are more. Narrow the pattern, paths or include.]`;
}

/** Rows and notes as one text; `none` when there are no rows. */
export function resultText(rows: readonly string[], notes: readonly string[], none: string): string {
  return [...(rows.length === 0 ? [none] : rows), ...notes].join('\n');
}
