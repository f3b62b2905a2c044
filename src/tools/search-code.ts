import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { compileGlob } from '../base/glob.ts';
import { shownName } from '../base/shown-name.ts';
import { capBytes } from '../base/text.ts';
import { searchEngine } from '../process/rg.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { SearchQuery } from '../workspace/search.ts';
import { type FileLines, type LineSearch, searchLines } from '../workspace/search-lines.ts';
import type { GrepSettings } from './grep.ts';
import { troubleNotes } from './search-notes.ts';
import { withProgress } from './search-progress.ts';
import { searchText } from './search-text.ts';

const mostBytes = 32 * 1024;
const lineChars = 1000;
const truncated = '... output truncated, narrow your search.';

/** `search_code` of the `udiff` dialect: literal text, rows as `grep -n` prints them. */
export function searchCode(settings: Pick<GrepSettings, 'engine'> = {}): Tool {
  return defineTool({
    name: 'search_code',
    description: 'Literal text search across files. Returns `path:line:text` lines, or "No matches found".',
    readOnly: true,
    input: z.strictObject({
      query: searchText('query').describe('Text to find, taken literally'),
      path: z.string().optional().describe('Directory or file, default the workspace root'),
      file_pattern: z.string().optional().describe('File name glob, e.g. *.go'),
    }),
    prepare: ({ query, path = '.', file_pattern }, context) => {
      refuseQuery(query);
      const base = context.workspace.resolve(path === '' ? '.' : path);
      const glob = file_pattern === undefined ? undefined : compileGlob(file_pattern, { anyDepth: true });
      return {
        effects: [{ kind: 'read', path: base }],
        subject: query,
        plan: async () => {
          refuseBase(context, base);
          return { type: 'answer', text: await find(context, settings, queryFor(query, base, glob)) };
        },
      };
    },
  });
}

function refuseQuery(query: string): void {
  if (query.trim() === '') throw new ToolError('invalid', 'query is required');
  if (/[\r\n]/.test(query)) {
    throw new ToolError(
      'invalid',
      'query holds a line break, but lines are searched one by one. Search for one line of it.',
    );
  }
}

function refuseBase(context: ToolContext, base: FilePath): void {
  const stats = context.workspace.stat(base);
  const refuse = (code: 'missing' | 'conflict', why: string) =>
    new ToolError(code, `grep failed: ${base.given}: ${why}`);
  if (stats === undefined) throw refuse('missing', 'No such file or directory');
  if (!stats.isDirectory() && !stats.isFile()) throw refuse('conflict', 'not a regular file or directory');
}

function queryFor(query: string, base: FilePath, glob: ReturnType<typeof compileGlob> | undefined): SearchQuery {
  return {
    pattern: query,
    literal: true,
    bases: [base],
    ...(glob === undefined ? {} : { accepts: glob.matches, endings: glob.endings }),
    skipFolders: [],
    ignoreFiles: undefined,
    perFile: mostBytes / 4,
    // The document says itself that binary files are skipped, and its answers are kept to the letter.
    tellSkipped: false,
  };
}

async function find(context: ToolContext, settings: Pick<GrepSettings, 'engine'>, query: SearchQuery): Promise<string> {
  let [bytes, hits] = [0, 0];
  const search: LineSearch = {
    query,
    maxChars: lineChars,
    binaryWindow: 8192,
    signal: context.signal,
    enough: (file) => {
      hits += file.lines.length;
      for (const row of rowsOf(file)) bytes += Buffer.byteLength(row) + 1;
      return bytes > mostBytes;
    },
  };
  const engine = (settings.engine ?? searchEngine)();
  const { files, trouble } = await withProgress(
    context,
    () => hits,
    () => searchLines(context.workspace, engine, search),
  );
  const rows = files.flatMap(rowsOf).join('\n');
  const notes = troubleNotes(trouble);
  const text = rows === '' ? 'No matches found' : capBytes(rows, mostBytes, truncated);
  return [text, ...notes].join('\n');
}

function rowsOf({ path, lines }: FileLines): string[] {
  return lines.map(({ line, text }) => `${shownName(path.rel)}:${line}:${text}`);
}
