import { detectEncoding } from '../base/encoding.ts';
import { asToolError } from '../base/error.ts';
import type { SearchEngine } from '../process/rg-engine.ts';
import { isForeign } from './legacy-pattern.ts';
import type { FilePath } from './path.ts';
import { readAt } from './read-at.ts';
import { noTrouble, type SearchQuery, type SearchTrouble, searchFiles } from './search.ts';
import type { Workspace } from './workspace.ts';

/** What was searched, and what for. */
export interface SearchDone {
  readonly workspace: Workspace;
  readonly engine: SearchEngine;
  readonly query: SearchQuery;
  /** Whether the bytes of the usual old encodings were searched for, too. */
  readonly legacy: boolean;
  /** Filled with what is learned. */
  readonly trouble: SearchTrouble;
  readonly signal: AbortSignal;
}

/**
 * Notes the files in which the text of a pattern that is not ASCII may stand in other bytes than were searched for: those
 * that are no UTF-8. Costs one more search, and for patterns in ASCII nothing.
 *
 * @param found whether a file gave hits; then it was searched rightly
 */
export async function noteOldEncodings(done: SearchDone, found: (rel: string) => boolean): Promise<void> {
  const { workspace, engine, query, legacy, trouble, signal } = done;
  if (trouble.overtime || !isForeign(query.pattern, query)) return;
  const asked = {
    pattern: notUtf8,
    literal: false,
    ignoreCase: false,
    multiline: false,
    ask: 'lines',
    perFile: 1,
    tellSkipped: false,
  } as const;
  const own = noTrouble();
  for await (const { path } of searchFiles(workspace, engine, { ...query, ...asked }, own, signal)) {
    if (!found(path.rel) && !(legacy && (await isUsual(workspace, path)))) trouble.oldEncoding.push(path.rel);
  }
  trouble.oldEncoding.sort();
  trouble.overtime = own.overtime;
}

const headBytes = 64 * 1024;

/** A file that looks like one of the encodings that were tried. */
async function isUsual(workspace: Workspace, path: FilePath): Promise<boolean> {
  try {
    const { name } = await workspace.open(path, (fd) => detectEncoding(readAt(fd, 0, headBytes)));
    return name === 'Windows-1252' || name === 'Shift_JIS';
  } catch (error) {
    asToolError(error);
    return false;
  }
}

const ascii = '[\\x01-\\x09\\x0b\\x0c\\x0e-\\x7f]';

/** Bytes that UTF-8 never has, a character that ends too early, and one that has no beginning. */
const notUtf8 = `(?-u:[\\xc0\\xc1\\xf5-\\xff]|[\\xc2-\\xf4](?:${ascii}|$)|(?:^|${ascii})[\\x80-\\xbf])`;
