import { asToolError } from '../base/error.ts';
import type { SearchEngine } from '../process/rg-engine.ts';
import { type HitLine, type HitLineOptions, readHitLines } from './hit-lines.ts';
import { legacyPattern } from './legacy-pattern.ts';
import type { FilePath } from './path.ts';
import { type FileHits, type SearchQuery, type SearchTrouble, searchFiles } from './search.ts';
import type { Workspace } from './workspace.ts';

export interface FileLines {
  readonly path: FilePath;
  readonly lines: readonly HitLine[];
}

export interface LineSearch extends HitLineOptions {
  readonly query: SearchQuery;
  /** Ends the search: called with every file's lines as they come; true when there is no room for more. */
  readonly enough: (file: FileLines) => boolean;
  readonly signal: AbortSignal;
}

export interface FoundLines {
  /** By path, then line. */
  readonly files: readonly FileLines[];
  /** True when the search ended early. */
  readonly cut: boolean;
  readonly trouble: SearchTrouble;
}

/** Searches and reads the lines found, until there are enough. */
export async function searchLines(workspace: Workspace, engine: SearchEngine, search: LineSearch): Promise<FoundLines> {
  const trouble: SearchTrouble = { unreadable: [], unspellable: 0 };
  const files = new Map<string, FileLines>();
  let cut = false;
  for (const { query, foreign } of passesOf(search.query)) {
    const options = { ...search, ...(foreign && { foreign }) };
    for await (const file of searchFiles(workspace, engine, query, trouble, search.signal)) {
      const lines = await linesOf(workspace, file, options, trouble);
      if (lines === undefined || lines.length === 0) continue;
      const earlier = files.get(file.path.rel)?.lines ?? [];
      const merged = [...earlier, ...lines].sort((a, b) => a.line - b.line);
      files.set(file.path.rel, { path: file.path, lines: merged });
      cut = search.enough({ path: file.path, lines });
      if (cut) break;
    }
    if (cut) break;
  }
  const sorted = [...files.values()].sort((a, b) => (a.path.rel < b.path.rel ? -1 : 1));
  return { files: sorted, cut, trouble: { ...trouble, unreadable: [...new Set(trouble.unreadable)] } };
}

interface Pass {
  readonly query: SearchQuery;
  readonly foreign?: ReadonlySet<string>;
}

/** A pattern that is not all ASCII is searched for a second time, in the bytes of old encodings. */
function passesOf(query: SearchQuery): readonly Pass[] {
  const { literal = false, ignoreCase = false } = query;
  const legacy = query.multiline ? undefined : legacyPattern(query.pattern, { literal, ignoreCase });
  if (legacy === undefined) return [{ query }];
  return [{ query }, { query: { ...query, pattern: legacy.pattern, literal: false }, foreign: legacy.characters }];
}

/** A file that went away, or that may not be read after all, costs its hits, not the search. */
async function linesOf(workspace: Workspace, file: FileHits, options: HitLineOptions, trouble: SearchTrouble) {
  try {
    return await readHitLines(workspace, file, options);
  } catch (error) {
    if (asToolError(error).code === 'failed') trouble.unreadable.push(file.path.rel);
    return undefined;
  }
}
