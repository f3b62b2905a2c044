import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { EngineRun, Skipped } from '../process/rg-engine.ts';
import { type Admission, withoutDot } from './admission.ts';
import { holdsNul, nulBuffer } from './holds-nul.ts';
import type { SearchQuery, SearchTrouble } from './search.ts';

/** What is needed to look at files that a search left out. */
export interface Unsearched {
  /** The folder that was searched. */
  readonly folder: string;
  readonly query: Pick<SearchQuery, 'accepts' | 'maxFileBytes'>;
  /** Of what is denied or ignored nothing is told. */
  readonly admit: Admission;
  /** Filled with the files that count. */
  readonly trouble: Pick<SearchTrouble, 'notText' | 'moreUnsearched'>;
  readonly signal: AbortSignal;
}

/** Notes which of the files that the engine says it left out hold a NUL. Each is looked at again. */
export async function noteSkipped(done: Unsearched, { binary, more }: Skipped): Promise<void> {
  const note = noter(done);
  const files = binary.map(withoutDot).sort();
  for (const [at, rel] of files.entries()) {
    await note(rel);
    if (at % filesPerBreath === 0) await setImmediate();
  }
  if (more) done.trouble.moreUnsearched = true;
}

/**
 * The same where an engine lists the files of a search, NUL after each: asked to tell which it left out, it would say a
 * word about every file that a filter leaves out as well. Each file is read as the engine has just read it.
 */
export async function noteListed(done: Unsearched, listing: EngineRun): Promise<void> {
  const note = noter(done);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of listing.output) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
      const rel = withoutDot(bytes.toString('utf8', at, end));
      at = end + 1;
      if (done.query.accepts?.(rel) !== false) await note(rel);
    }
    rest = bytes.subarray(at);
    await setImmediate();
    done.signal.throwIfAborted();
  }
}

const filesPerBreath = 100;

/** Looks first, past the jail and quickly, at files of which most are not the kind; what is told of one, the jail decides. */
function noter({ folder, query, admit, trouble, signal }: Unsearched): (rel: string) => Promise<void> {
  const buffer = nulBuffer();
  const { maxFileBytes = Number.POSITIVE_INFINITY } = query;
  const isBinary = async (fd: number) => fstatSync(fd).size <= maxFileBytes && (await holdsNul(fd, buffer, signal));
  return async (rel) => {
    const counts = await withFile(join(folder, rel), isBinary);
    signal.throwIfAborted();
    const path = counts === true ? await admit(rel) : undefined;
    if (path !== undefined) trouble.notText.add(path.rel);
  };
}

const plainly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Undefined for a file that went away, or can't be read. */
async function withFile<T>(abs: string, use: (fd: number) => Promise<T>): Promise<T | undefined> {
  let fd: number | undefined;
  try {
    fd = openSync(abs, plainly);
    return await use(fd);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
