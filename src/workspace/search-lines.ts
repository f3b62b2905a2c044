import { asToolError } from '../base/error.ts';
import type { SearchEngine } from '../process/rg-engine.ts';
import { type HitLine, type HitLineOptions, readHitLines } from './hit-lines.ts';
import { legacyPattern } from './legacy-pattern.ts';
import { noteOldEncodings } from './old-encodings.ts';
import type { FilePath } from './path.ts';
import { type FileHits, noTrouble, type SearchQuery, type SearchTrouble, searchFiles } from './search.ts';
import type { Workspace } from './workspace.ts';

export interface FileLines {
  readonly path: FilePath;
  readonly lines: readonly HitLine[];
}

export interface LineSearch extends HitLineOptions {
  readonly query: SearchQuery;
  /** Ends the search: called with every file's lines as they come; true when there is no room for more. */
  readonly enough: (file: FileLines) => boolean;
  /** Which files come first when there are more than enough, and in the result. Default `path`. */
  readonly order?: 'path' | 'modified';
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
  const trouble = noTrouble();
  const files = new Map<string, FileLines>();
  let cut = false;
  const passes = passesOf(search.query);
  for (const { query, foreign } of passes) {
    const options = { ...search, ...(foreign && { foreign }) };
    for await (const file of filesInOrder(workspace, engine, { ...search, query }, trouble)) {
      const lines = await linesOf(workspace, file, options, trouble);
      if (lines === undefined || lines.length === 0) continue;
      files.set(file.path.rel, { path: file.path, lines: merged(files.get(file.path.rel)?.lines ?? [], lines) });
      cut = search.enough({ path: file.path, lines });
      if (cut) break;
    }
    if (cut) break;
  }
  if (!cut) {
    const done = { workspace, engine, query: search.query, legacy: passes.length > 1, trouble, signal: search.signal };
    await noteOldEncodings(done, (rel) => files.has(rel));
  }
  const found = [...files.values()];
  if (search.order !== 'modified') found.sort((a, b) => (a.path.rel < b.path.rel ? -1 : 1));
  for (const rel of [...files.keys(), ...trouble.binary]) trouble.notText.delete(rel);
  return { files: found, cut, trouble: withoutRepeats(trouble) };
}

/** A line that is a hit in one pass and context in the other is a hit. */
function merged(earlier: readonly HitLine[], later: readonly HitLine[]): readonly HitLine[] {
  const byLine = new Map(earlier.map((line) => [line.line, line]));
  for (const line of later)
    if (byLine.get(line.line)?.context !== undefined || !byLine.has(line.line)) byLine.set(line.line, line);
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

/** Passes over the same files meet the same trouble. */
function withoutRepeats(trouble: SearchTrouble): SearchTrouble {
  const once = (paths: readonly string[]) => [...new Set(paths)].sort();
  const { unreadable, ignored, binary } = trouble;
  return { ...trouble, unreadable: once(unreadable), ignored: once(ignored), binary: once(binary) };
}

/** More files are not held to be sorted by time; of so many, those found first are taken. */
const mostSorted = 10_000;

async function* filesInOrder(workspace: Workspace, engine: SearchEngine, search: LineSearch, trouble: SearchTrouble) {
  const files = searchFiles(workspace, engine, search.query, trouble, search.signal);
  if (search.order !== 'modified') {
    yield* files;
    return;
  }
  const held: { file: FileHits; modified: number }[] = [];
  for await (const file of files) {
    held.push({ file, modified: workspace.stat(file.path)?.mtimeMs ?? 0 });
    if (held.length === mostSorted) break;
  }
  held.sort((a, b) => b.modified - a.modified || (a.file.path.rel < b.file.path.rel ? -1 : 1));
  for (const { file } of held) yield file;
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
  return [
    { query },
    { query: { ...query, pattern: legacy.pattern, literal: false, tellSkipped: false }, foreign: legacy.characters },
  ];
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
