import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { shownName } from '../base/shown-name.ts';
import { searchEngine } from '../process/rg.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { HitLine } from '../workspace/hit-lines.ts';
import type { FilePath, Root } from '../workspace/path.ts';
import type { SearchQuery } from '../workspace/search.ts';
import type { FileLines, FoundLines, LineSearch } from '../workspace/search-lines.ts';
import { findHits, type GrepSettings, mostHits, skippedFolders } from './grep.ts';
import { countText } from './grep-count.ts';
import { includeGlob } from './root-glob.ts';
import { cutNote, resultText, troubleNotes } from './search-notes.ts';
import { searchText } from './search-text.ts';

const input = z.strictObject({
  pattern: searchText('pattern').describe('regex source'),
  paths: z.array(z.string()).optional().describe('files or directories, default the root'),
  include: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('glob(s); "!" excludes'),
  type: z.string().optional().describe('e.g. ts, py'),
  output: z.enum(['lines', 'files', 'count']).optional(),
  context: z.int().min(0).max(20).optional().describe('lines around each hit'),
  sort: z.enum(['path', 'modified']).optional(),
  ignoreCase: z.boolean().optional(),
  multiline: z.boolean().optional().describe('. matches line ends'),
  includeIgnored: z.boolean().optional(),
});

type Input = z.infer<typeof input>;

/** `grep` of the `native` dialect: `shiro`'s, and what users of ripgrep miss in it. */
export function nativeGrep(settings: GrepSettings): Tool {
  return defineTool({
    name: 'grep',
    description:
      'Search file contents with a regex (Rust syntax, no look-around). Returns `path:line: text`, at most 200 hits.',
    set: 'core',
    readOnly: true,
    input,
    prepare: (args, context) => {
      const bases = basesOf(context, args.paths);
      const query = queryFor(context.workspace.root, args, bases, settings);
      const order = args.sort ?? 'path';
      return {
        effects: bases.map((path) => ({ kind: 'read' as const, path })),
        subject: args.pattern,
        plan: async () => {
          for (const base of bases) refuseBase(context, base);
          return { type: 'answer', text: await answer(context, settings, query, { ...args, order }) };
        },
      };
    },
  });
}

function basesOf({ workspace }: ToolContext, paths: readonly string[] = []): FilePath[] {
  return (paths.length === 0 ? ['.'] : paths).map((path) => workspace.resolve(path));
}

function refuseBase({ workspace }: ToolContext, base: FilePath): void {
  const stats = workspace.stat(base);
  if (stats === undefined) throw new ToolError('missing', `No such file or directory: ${base.given}`);
  if (stats.isDirectory() || stats.isFile()) return;
  throw new ToolError('conflict', `path is not a file or directory: ${base.given}`);
}

function queryFor(root: Root, args: Input, bases: readonly FilePath[], settings: GrepSettings): SearchQuery {
  const { output = 'lines' } = args;
  return {
    pattern: args.pattern,
    ignoreCase: args.ignoreCase ?? false,
    multiline: args.multiline ?? false,
    bases,
    ...includeFilter(root, args.include),
    ...(args.type === undefined ? {} : { type: args.type }),
    ask: output === 'count' ? 'count' : 'lines',
    skipFolders: skippedFolders,
    ignoreFiles: args.includeIgnored ? undefined : settings.ignoreFiles,
    perFile: output === 'files' ? 1 : mostHits + 1,
  };
}

/** Several globs: one of those that take in must match, none of those that exclude. */
function includeFilter(root: Root, include: Input['include']): Pick<SearchQuery, 'accepts' | 'endings'> {
  if (include === undefined) return {};
  const globs = [include].flat().map((one) => ({ excludes: one.startsWith('!'), ...includeGlob(root, one) }));
  const wanted = globs.filter((glob) => !glob.excludes);
  const unwanted = globs.filter((glob) => glob.excludes);
  return {
    // An excluding glob matches what it leaves.
    accepts: (rel) =>
      (wanted.length === 0 || wanted.some((glob) => glob.matches(rel))) && unwanted.every((glob) => glob.matches(rel)),
    endings: wanted.length === 0 ? [''] : wanted.flatMap((glob) => glob.endings),
  };
}

type Options = Pick<Input, 'output' | 'context'> & { readonly order: NonNullable<LineSearch['order']> };

async function answer(
  context: ToolContext,
  settings: GrepSettings,
  query: SearchQuery,
  options: Options,
): Promise<string> {
  if (options.output === 'count') return countText(context, (settings.engine ?? searchEngine)(), query, options.order);
  const around = options.output === 'files' ? 0 : (options.context ?? 0);
  const found = await findHits(context, settings, query, { context: around, order: options.order });
  if (options.output !== 'files') return text(contextRows(found.files), found, 'hits');
  return text(
    found.files.map(({ path }) => ({ text: shownName(path.rel), hit: true })),
    found,
    'files',
  );
}

function text(rows: readonly Row[], { cut, trouble }: Omit<FoundLines, 'files'>, what: string): string {
  const notes = cut ? [cutNote(mostHits, what)] : [];
  const shown = firstHits(rows).map((row) => row.text);
  return resultText(shown, [...notes, ...troubleNotes(trouble)], 'No matches.');
}

/** `hit` is false for context and separators, which don't count. */
interface Row {
  readonly text: string;
  readonly hit: boolean;
}

function firstHits(rows: readonly Row[]): readonly Row[] {
  let hits = 0;
  const end = rows.findIndex((row) => row.hit && ++hits > mostHits);
  if (end < 0) return rows;
  // What leads up to the next hit goes with it.
  const gap = rows.findLastIndex((row, at) => at < end && row.text === '--');
  return rows.slice(0, rows.slice(Math.max(gap, 0), end).some((row) => row.hit) ? end : gap);
}

/** Groups of lines that touch are kept apart by `--`, as grep does it. */
function contextRows(files: readonly FileLines[]): Row[] {
  const grouped = files.some(({ lines }) => lines.some((line) => line.context));
  const rows = files.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => {
      const gap = grouped && lines[at - 1]?.line !== line.line - 1;
      return gap ? [{ text: '--', hit: false }, rowOf(path, line)] : [rowOf(path, line)];
    }),
  );
  return grouped ? rows.slice(1) : rows;
}

function rowOf({ rel }: FilePath, { line, text: shown, context }: HitLine): Row {
  return context
    ? { text: `${shownName(rel)}-${line}- ${shown}`, hit: false }
    : { text: `${shownName(rel)}:${line}: ${shown}`, hit: true };
}
