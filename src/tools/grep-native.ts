import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { compileGlob } from '../base/glob.ts';
import { shownName } from '../base/shown-name.ts';
import { searchEngine } from '../process/rg.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { type SearchQuery, type SearchTrouble, searchFiles } from '../workspace/search.ts';
import type { FileLines, FoundLines, LineSearch } from '../workspace/search-lines.ts';
import { findHits, type GrepSettings, mostHits, skippedFolders } from './grep.ts';
import { resultText, troubleNotes } from './search-notes.ts';
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
      const query = queryFor(args, bases, settings);
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

function queryFor(args: Input, bases: readonly FilePath[], settings: GrepSettings): SearchQuery {
  const { output = 'lines' } = args;
  return {
    pattern: args.pattern,
    ignoreCase: args.ignoreCase ?? false,
    multiline: args.multiline ?? false,
    bases,
    ...includeFilter(args.include),
    ...(args.type === undefined ? {} : { type: args.type }),
    ask: output === 'count' ? 'count' : 'lines',
    skipFolders: skippedFolders,
    ignoreFiles: args.includeIgnored ? undefined : settings.ignoreFiles,
    perFile: output === 'files' ? 1 : mostHits + 1,
  };
}

/** Several globs: one of those that take in must match, none of those that exclude. */
function includeFilter(include: Input['include']): Pick<SearchQuery, 'accepts' | 'endings'> {
  if (include === undefined) return {};
  const globs = [include]
    .flat()
    .map((one) => ({ excludes: one.startsWith('!'), ...compileGlob(one, { anyDepth: true }) }));
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
  if (options.output === 'count') return countText(context, settings, query);
  const around = options.output === 'files' ? 0 : (options.context ?? 0);
  const found = await findHits(context, settings, query, { context: around, order: options.order });
  if (options.output !== 'files') return text(found.files.flatMap(rowsOf), found, 'hits');
  return text(
    found.files.map(({ path }) => ({ text: shownName(path.rel), hit: true })),
    found,
    'files',
  );
}

function text(rows: readonly Row[], { cut, trouble }: Omit<FoundLines, 'files'>, what: string): string {
  const notes = cut ? [`... [${mostHits} ${what} shown, there are more. Narrow the pattern, paths or include.]`] : [];
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
  return end < 0 ? rows : rows.slice(0, end);
}

function rowsOf({ path, lines }: FileLines): Row[] {
  const name = shownName(path.rel);
  const grouped = lines.some((line) => line.context);
  return lines.flatMap(({ line, text: shown, context }, at) => {
    const row = context
      ? { text: `${name}-${line}- ${shown}`, hit: false }
      : { text: `${name}:${line}: ${shown}`, hit: true };
    const gap = grouped && (at === 0 || lines[at - 1]!.line !== line - 1);
    return gap ? [{ text: '--', hit: false }, row] : [row];
  });
}

async function countText(context: ToolContext, settings: GrepSettings, query: SearchQuery): Promise<string> {
  const trouble: SearchTrouble = { unreadable: [], unspellable: 0, ignored: [] };
  const engine = (settings.engine ?? searchEngine)();
  const counts: { rel: string; count: number }[] = [];
  for await (const { path, hits } of searchFiles(context.workspace, engine, query, trouble, context.signal)) {
    counts.push({ rel: path.rel, count: hits[0]!.line });
  }
  counts.sort((a, b) => (a.rel < b.rel ? -1 : 1));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const rows = counts.slice(0, mostHits).map(({ rel, count }) => `${shownName(rel)}: ${count}`);
  const notes = [`[${total} in ${counts.length} files]`, ...troubleNotes(trouble)];
  return resultText(rows, counts.length === 0 ? troubleNotes(trouble) : notes, 'No matches.');
}
