import * as z from 'zod';
import type { Glob } from '../base/glob.ts';
import { shownName } from '../base/shown-name.ts';
import { type SearchEngine, searchEngine } from '../process/rg.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { SearchQuery } from '../workspace/search.ts';
import { type FoundLines, type LineSearch, searchLines } from '../workspace/search-lines.ts';
import { includeGlob } from './root-glob.ts';
import { resultText, troubleNotes } from './search-notes.ts';
import { withProgress } from './search-progress.ts';
import { searchText } from './search-text.ts';

export interface GrepSettings {
  /** Default: the engine that runs here. */
  readonly engine?: () => SearchEngine;
  /** Own ignore files that count besides git's. */
  readonly ignoreFiles: readonly string[];
}

export const mostHits = 200;
const lineChars = 300;

/** `grep` of the `shiro` dialect: regex over the workspace, rows `path:line: text`. */
export function shiroGrep(settings: GrepSettings): Tool {
  return defineTool({
    name: 'grep',
    description:
      'Search file contents with a regex (Rust syntax, no look-around). Returns `path:line: text`, at most 200 hits.',
    set: 'core',
    readOnly: true,
    input: z.strictObject({
      pattern: searchText('pattern').describe('regex source'),
      include: z.string().optional().describe('glob limiting the search, default "**/*"'),
      ignoreCase: z.boolean().optional(),
      includeIgnored: z.boolean().optional().describe('also search files git ignores'),
    }),
    prepare: ({ pattern, include = '**/*', ignoreCase = false, includeIgnored = false }, context) => {
      const root = context.workspace.resolve('.');
      const glob = includeGlob(context.workspace.root, include);
      const query: SearchQuery = {
        pattern,
        ignoreCase,
        bases: [root],
        ...globFilter(glob),
        skipFolders: skippedFolders,
        ignoreFiles: includeIgnored ? undefined : settings.ignoreFiles,
        perFile: mostHits + 1,
      };
      return {
        effects: [{ kind: 'read', path: root }],
        subject: pattern,
        plan: async () => ({
          type: 'answer',
          text: rowsText(await findHits(context, settings, query), 'Narrow the pattern or set include.'),
        }),
      };
    },
  });
}

export const skippedFolders = ['node_modules'];

function globFilter(glob: Glob): Pick<SearchQuery, 'accepts' | 'endings'> {
  return { accepts: glob.matches, endings: glob.endings };
}

/** How lines are given, and how many at most. */
export interface HitOptions extends Pick<LineSearch, 'context' | 'order'> {
  readonly most?: number;
}

/** Searches until there is one hit more than is shown. */
export function findHits(
  context: ToolContext,
  settings: GrepSettings,
  query: SearchQuery,
  { most = mostHits, ...options }: HitOptions = {},
): Promise<FoundLines> {
  let hits = 0;
  const search: LineSearch = {
    ...options,
    query,
    maxChars: lineChars,
    binaryWindow: 8192,
    signal: context.signal,
    enough: ({ lines }) => {
      hits += lines.filter((line) => !line.context).length;
      return hits > most;
    },
  };
  const engine = (settings.engine ?? searchEngine)();
  return withProgress(
    context,
    () => hits,
    () => searchLines(context.workspace, engine, search),
  );
}

function rowsText({ files, cut, trouble }: FoundLines, narrow: string): string {
  const rows = files.flatMap(({ path, lines }) =>
    lines.map(({ line, text }) => `${shownName(path.rel)}:${line}: ${text}`),
  );
  const notes = cut ? [`... [${mostHits} hits shown, there are more. ${narrow}]`] : [];
  return resultText(rows.slice(0, mostHits), [...notes, ...troubleNotes(trouble)], 'No matches.');
}
