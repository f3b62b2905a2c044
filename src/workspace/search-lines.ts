import { asToolError } from '../base/error.ts';
import type { SearchEngine } from '../process/rg-engine.ts';
import { type HitLine, type HitLineOptions, readHitLines } from './hit-lines.ts';
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
  const files: FileLines[] = [];
  let cut = false;
  for await (const file of searchFiles(workspace, engine, search.query, trouble, search.signal)) {
    const lines = await linesOf(workspace, file, search, trouble);
    if (lines === undefined || lines.length === 0) continue;
    files.push({ path: file.path, lines });
    cut = search.enough({ path: file.path, lines });
    if (cut) break;
  }
  files.sort((a, b) => (a.path.rel < b.path.rel ? -1 : 1));
  return { files, cut, trouble };
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
