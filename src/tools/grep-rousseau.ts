import { join } from 'node:path';
import * as z from 'zod';
import { readBracket } from '../base/bracket.ts';
import { ToolError } from '../base/error.ts';
import { compileGlob, type Glob } from '../base/glob.ts';
import { shownName } from '../base/shown-name.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { SearchQuery } from '../workspace/search.ts';
import type { FoundLines } from '../workspace/search-lines.ts';
import { inGo } from './go-error.ts';
import { findHits, type GrepSettings } from './grep.ts';
import { resultText, troubleNotes } from './search-notes.ts';
import { searchText } from './search-text.ts';

const skipped = ['node_modules', 'vendor', '.venv', '__pycache__', 'dist', 'build'];

export interface RousseauGrepSettings extends Pick<GrepSettings, 'engine'> {
  /** The most rows. Default 200. */
  readonly maxMatches?: number | undefined;
  /** Larger files are skipped, in bytes. Default 4 MiB. */
  readonly maxFileBytes?: number | undefined;
}

/** `grep` of the `rousseau` dialect: regex under an absolute directory, rows `<path>:<line>: <matching-line>`. */
export function rousseauGrep(settings: RousseauGrepSettings = {}): Tool {
  const { maxMatches = 200, maxFileBytes = 4 * 1024 * 1024 } = settings;
  return defineTool({
    name: 'grep',
    description: `Regex search under a directory. Returns \`path:line: text\` rows, at most ${maxMatches}.`,
    readOnly: true,
    input: z.strictObject({
      pattern: searchText('pattern').describe('Go RE2 regular expression to match.'),
      path: z.string().describe('Absolute directory to search under.'),
      include: z.string().optional().describe("Optional filename glob (e.g. '*.go'). Applied to the base name."),
      ignore_case: z.boolean().optional().describe('Case-insensitive match. Defaults to false.'),
    }),
    prepare: ({ pattern, path, include, ignore_case = false }, context) =>
      inGo('grep', path, () => {
        const base = context.workspace.resolve(path);
        const glob = include === undefined ? undefined : nameGlob(include);
        const query = { ...queryFor(pattern, base, ignore_case, glob), maxFileBytes, perFile: maxMatches + 1 };
        return {
          effects: [{ kind: 'read', path: base }],
          subject: pattern,
          plan: () =>
            inGo('grep', path, async () => {
              refuseBase(context, base, path);
              const found = await findHits(context, { ...settings, ignoreFiles: [] }, query, { most: maxMatches });
              return { type: 'answer', text: rowsText(context, found, maxMatches) };
            }),
        };
      }),
  });
}

/** A glob for names alone, as Go's filepath.Match takes them: an open bracket is an error, not text. */
function nameGlob(include: string): Glob {
  const refuse = (why: string) => new ToolError('invalid', `grep: invalid include glob "${include}": ${why}`);
  if (include.includes('/')) throw refuse('it is matched against the file name alone; leave the folders to path');
  for (let at = 0; at < include.length; at += 1) {
    if (include[at] === '\\') at += 1;
    else if (include[at] === '[') {
      const bracket = readBracket(include, at);
      if (bracket === undefined) throw refuse('a bracket is open; close it, or write \\[ for the character');
      at = bracket.end - 1;
    }
    if (at >= include.length) throw refuse('it ends in a backslash');
  }
  return compileGlob(include);
}

function refuseBase({ workspace }: ToolContext, base: FilePath, path: string): void {
  const stats = workspace.stat(base);
  if (stats === undefined) throw new ToolError('missing', `grep: ${path}: no such file or directory`);
  if (!stats.isDirectory() && !stats.isFile()) throw new ToolError('conflict', `grep: ${path} is not a directory`);
}

function queryFor(
  pattern: string,
  base: FilePath,
  ignoreCase: boolean,
  glob: Glob | undefined,
): Omit<SearchQuery, 'perFile'> {
  return {
    pattern,
    ignoreCase,
    bases: [base],
    ...(glob && { accepts: (rel: string) => glob.matches(rel.slice(rel.lastIndexOf('/') + 1)), endings: glob.endings }),
    skipFolders: skipped,
    ignoreFiles: undefined,
    // The document says itself that binary files are skipped, and its answers are kept to the letter.
    tellSkipped: false,
  };
}

function rowsText({ workspace }: ToolContext, { files, cut, trouble }: FoundLines, most: number): string {
  const rows = files.flatMap(({ path, lines }) =>
    lines.map(({ line, text }) => `${shownName(join(workspace.root.spelled, path.rel))}:${line}: ${text}`),
  );
  const notes = cut ? [`... (truncated at ${most} matches; narrow pattern, path or include)`] : [];
  return resultText(rows.slice(0, most), [...notes, ...troubleNotes(trouble)], 'no matches');
}
