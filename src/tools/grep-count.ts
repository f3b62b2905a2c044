import { shownName } from '../base/shown-name.ts';
import { plural } from '../base/text.ts';
import type { SearchEngine } from '../process/rg.ts';
import type { ToolContext } from '../tool/tool.ts';
import { noteOldEncodings } from '../workspace/old-encodings.ts';
import { noTrouble, type SearchQuery, searchFiles } from '../workspace/search.ts';
import type { LineSearch } from '../workspace/search-lines.ts';
import { mostHits } from './grep.ts';
import { cutNote, resultText, troubleNotes } from './search-notes.ts';
import { withProgress } from './search-progress.ts';

/** How many hits each file has, and how many there are. */
export async function countText(
  context: ToolContext,
  engine: SearchEngine,
  query: SearchQuery,
  order: NonNullable<LineSearch['order']>,
): Promise<string> {
  const trouble = noTrouble();
  let counts: Count[] = [];
  let [files, total] = [0, 0];
  const { workspace, signal } = context;
  const count = async () => {
    for await (const { path, hits } of searchFiles(workspace, engine, query, trouble, signal)) {
      const count = hits[0]!.line;
      const modified = order === 'modified' ? (workspace.stat(path)?.mtimeMs ?? 0) : 0;
      counts.push({ rel: path.rel, count, modified });
      files += 1;
      total += count;
      if (counts.length === mostCounts) counts = firstCounts(counts);
    }
    await noteOldEncodings({ workspace, engine, query, legacy: false, trouble, signal }, () => false);
  };
  await withProgress(context, () => total, count);
  const rows = firstCounts(counts).map(({ rel, count }) => `${shownName(rel)}: ${count}`);
  const cut = files > mostHits ? [cutNote(mostHits, 'files')] : [];
  const sum = files === 0 ? [] : [`[${total} in ${plural(files, 'file')}]`];
  return resultText(rows, [...cut, ...sum, ...troubleNotes(trouble)], 'No matches.');
}

interface Count {
  readonly rel: string;
  readonly count: number;
  readonly modified: number;
}

/** So many are held at most; then all but those that are shown go. */
const mostCounts = 10_000;

function firstCounts(counts: Count[]): Count[] {
  return counts.sort((a, b) => b.modified - a.modified || (a.rel < b.rel ? -1 : 1)).slice(0, mostHits);
}
