import type { ChangeSet } from './change.ts';
import type { CommitOptions } from './commit.ts';
import { folderOf } from './disk.ts';
import { journaledChanges } from './draft.ts';
import { type Entry, newEntry } from './journal.ts';

/** Writes changes that have happened already into the journal, with the old contents, so that they can be taken back. */
export async function recordDone(
  changes: ChangeSet,
  { journal, origin, summaries }: Pick<CommitOptions, 'journal' | 'origin' | 'summaries'>,
): Promise<void> {
  if (changes.length === 0) return;
  const draft = newEntry({ origin, changes: journaledChanges(changes, summaries), folders: madeFolders(changes) });
  const entry: Entry = { ...draft, operations: [] };
  journal.begin(entry);
  const old = changes.flatMap((change) => (change.type === 'create' ? [] : [change.before]));
  await journal.keep(new Map(old.map(({ digest, bytes }) => [digest, bytes])), () => {});
  await Promise.all([journal.flush(), journal.settle()]);
  journal.end(entry.id, 'done');
}

/** The folders of new files; an undo removes those that are empty then. Outermost first. */
function madeFolders(changes: ChangeSet): string[] {
  const folders = new Set<string>();
  for (const change of changes) {
    if (change.type !== 'create' && change.type !== 'rename') continue;
    const path = change.type === 'create' ? change.path.rel : change.to.rel;
    for (let folder = folderOf(path); folder !== '.'; folder = folderOf(folder)) folders.add(folder);
  }
  return [...folders].sort();
}
