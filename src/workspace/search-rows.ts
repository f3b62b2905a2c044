/** One line that the engine reports. */
export interface Hit {
  /** 1-based. */
  readonly line: number;
  /** Byte column of the first match, 1-based. */
  readonly column: number;
  /** Byte offset of the line's start. In UTF-16 files it counts in a UTF-8 copy that has no byte-order mark. */
  readonly offset: number;
}

/** The hits of one file, in line order. `path` is as the engine printed it. */
export interface FileRows {
  readonly path: Buffer;
  readonly hits: readonly Hit[];
  /** The engine met a NUL after these and went no further. */
  readonly stopped: boolean;
}

/** What the engine says when it meets a NUL after it has printed hits of a file. */
const stopNotice = Buffer.from(': WARNING: stopped searching binary file');
/** What it says of a file it was given by name that has a NUL before a hit; no row need come before. */
const binaryNotice = Buffer.from(': binary file matches (found ');

/**
 * Reads what `rg --null --line-number --column --byte-offset --max-columns=1` prints: `PATH NUL LINE:COLUMN:OFFSET:…`,
 * one row a line. A match at the line's end alone (`$`) has no column. Paths may hold any byte but NUL, so a row begins where the one before ended, not at every newline.
 * Yields a file when its last row is there: rows of one file come in one piece.
 *
 * @param named the files that the engine was given by name, as it prints them
 */
export async function* readRows(
  output: AsyncIterable<Buffer>,
  named: readonly Buffer[] = [],
): AsyncGenerator<FileRows> {
  let file: { path: Buffer; hits: Hit[]; stopped: boolean } | undefined;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let row = readRow(rest, at, file?.path, named); row; row = readRow(rest, at, file?.path, named)) {
      at = row.end;
      if (!file?.path.equals(row.path)) {
        if (file !== undefined) yield file;
        file = { path: Buffer.from(row.path), hits: [], stopped: false };
      }
      if (row.hit === undefined) file.stopped = true;
      else file.hits.push(row.hit);
    }
    rest = rest.subarray(at);
  }
  if (file !== undefined) yield file;
}

interface Row {
  readonly end: number;
  readonly path: Buffer;
  /** Undefined for a notice. */
  readonly hit?: Hit;
}

/** The row that starts at `start`; undefined when it isn't complete yet. */
function readRow(
  bytes: Buffer,
  start: number,
  previous: Buffer | undefined,
  named: readonly Buffer[],
): Row | undefined {
  const stopped = previous !== undefined && isNotice(bytes, start, previous, stopNotice);
  const told = stopped ? previous : named.find((path) => isNotice(bytes, start, path, binaryNotice));
  if (told !== undefined) {
    const newline = bytes.indexOf(0x0a, start + told.length);
    return newline < 0 ? undefined : { end: newline + 1, path: told };
  }
  const nul = bytes.indexOf(0, start);
  const newline = nul < 0 ? -1 : bytes.indexOf(0x0a, nul);
  if (newline < 0) return undefined;
  const path = bytes.subarray(start, nul);
  const fields = /^(\d+)(?::(?:(\d+):)?(\d+):)?/.exec(bytes.toString('latin1', nul + 1, newline));
  const hit = { line: Number(fields?.[1] ?? 0), column: Number(fields?.[2] ?? 1), offset: Number(fields?.[3] ?? 0) };
  return { end: newline + 1, path, hit };
}

function isNotice(bytes: Buffer, start: number, path: Buffer, notice: Buffer): boolean {
  const middle = start + path.length;
  return bytes.subarray(start, middle).equals(path) && bytes.subarray(middle, middle + notice.length).equals(notice);
}
