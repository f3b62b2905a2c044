import {
  chmodSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from './error.ts';
import { type Lock, lockSync, tryLock } from './lock.ts';
import { type LogItem, readLog } from './log-read.ts';
import { makeOwnFolder } from './own-folder.ts';
import { syncToDisk } from './sync.ts';
import { syncFolder } from './sync-folder.ts';

export type LogRecord = Readonly<Record<string, unknown>>;

export interface LogOptions {
  /**
   * Keeps the log to this process until `close`; opening it elsewhere meanwhile is `conflict`. Without it processes take
   * turns append by append.
   */
  readonly exclusive?: boolean;
  /** Last look at a record before it is written, with the text of the line before it: where a hash chain is tied. */
  readonly seal?: (record: LogRecord, previousLine: string | undefined) => LogRecord;
}

/**
 * An append-only file of JSON lines, owner-only, whose every record is whole or absent: a torn last line is cut off
 * before the next append, and a failed append leaves no trace.
 */
export interface Log {
  readonly path: string;
  /** Adds one record and returns its line. With `sync` it is on the disk when this returns. */
  append(record: LogRecord, options?: { readonly sync?: boolean }): string;
  /** Resolves when everything appended so far is on the disk. */
  flush(): Promise<void>;
  /** The log's records and damages in order, from byte `from` (an earlier item's `end`). */
  read(from?: number): Generator<LogItem>;
  /**
   * Writes the log anew with the records that `keep` holds on to, atomically; damages are gone afterwards. `then` runs
   * before anyone else can append.
   */
  rewrite(keep: (record: LogRecord) => boolean, then?: () => void): void;
  /** Takes the log away for good, and closes it. */
  remove(): void;
  close(): void;
}

const fileMode = 0o600;

/**
 * Opens a log; the file is made by the first append.
 *
 * @example
 * const log = openLog(join(home, 'notes.jsonl'));
 * log.append({ note: 'tests live in test/' });
 * for (const item of log.read()) console.log(item);
 */
export function openLog(path: string, options: LogOptions = {}): Log {
  const lockPath = `${path}.lock`;
  const held = options.exclusive ? lockAll(path, lockPath) : undefined;
  let open: OpenFile | undefined;
  let last: { size: number; line: string } | undefined;

  const locked = <T>(use: () => T): T => {
    const lock = held ?? lockSync(lockPath);
    try {
      held?.touch();
      return use();
    } finally {
      if (lock !== held) lock.release();
    }
  };
  const shut = (): void => {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  };
  const current = (): { readonly file: number; readonly size: number } => {
    const there = statSync(path, { throwIfNoEntry: false });
    if (open !== undefined && there?.ino === open.ino && there.dev === open.dev) {
      return { file: open.fd, size: there.size };
    }
    shut();
    last = undefined;
    const { size, ...opened } = openForAppend(path);
    open = opened;
    return { file: opened.fd, size };
  };

  const close = (): void => {
    shut();
    held?.release();
  };

  return {
    path,
    append: (record, { sync = false } = {}) =>
      locked(() => {
        const { file, size: found } = current();
        const size = found === last?.size ? found : healTail(file, found);
        const previous = options.seal && (last?.size === size ? last.line : lastLine(file, size));
        const line = JSON.stringify(options.seal ? options.seal(record, previous) : record);
        const bytes = Buffer.from(`${line}\n`);
        writeWhole(file, bytes, size);
        last = { size: size + bytes.length, line };
        if (sync) fdatasyncSync(file);
        return line;
      }),
    flush: async () => {
      if (open !== undefined) await syncToDisk(open.fd, { data: true });
    },
    read: (from) => readLog(path, from),
    rewrite: (keep, then) =>
      locked(() => {
        writeAnew(path, keep);
        last = undefined;
        then?.();
      }),
    remove: () => {
      rmSync(path, { force: true });
      close();
    },
    close,
  };
}

function lockAll(path: string, lockPath: string): Lock {
  const lock = tryLock(lockPath);
  if (!('busy' in lock)) return lock;
  const who = lock.pid === process.pid ? 'already open here' : `in use by process ${lock.pid}`;
  throw new ToolError('conflict', `${path} is ${who}. Close it there first.`);
}

/** A log's file as it was opened: it may have been written anew (or removed) by another process since. */
interface OpenFile {
  readonly fd: number;
  readonly ino: number;
  readonly dev: number;
}

function openForAppend(path: string): OpenFile & { readonly size: number } {
  makeOwnFolder(dirname(path));
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
  const fd = openSync(path, 'a+', fileMode);
  const { ino, dev, mode, size } = fstatSync(fd);
  if ((mode & 0o077) !== 0) chmodSync(path, fileMode);
  if (isNew) syncFolder(dirname(path));
  return { fd, ino, dev, size };
}

/** Ends or cuts off a last line that a crash left without its line end; returns the size. */
function healTail(fd: number, size: number): number {
  if (size === 0 || byteAt(fd, size - 1) === 10) return size;
  const tail = lastLine(fd, size) ?? '';
  if (isWhole(tail)) {
    writeWhole(fd, Buffer.from('\n'), size);
    return size + 1;
  }
  const cut = size - tailBytes(fd, size).length;
  ftruncateSync(fd, cut);
  return cut;
}

/** Looks behind the NUL bytes that a crash may have left in front of a record. */
function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line.slice(line.lastIndexOf('\0') + 1)) === 'object';
  } catch {
    return false;
  }
}

function byteAt(fd: number, at: number): number | undefined {
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  return byte[0];
}

function lastLine(fd: number, size: number): string | undefined {
  const end = size > 0 && byteAt(fd, size - 1) === 10 ? size - 1 : size;
  return end === 0 ? undefined : tailBytes(fd, end).toString('utf8');
}

/** The bytes after the last line feed before `end`. */
function tailBytes(fd: number, end: number): Buffer {
  const chunks: Buffer[] = [];
  for (let stop = end; stop > 0; ) {
    const start = Math.max(0, stop - 64 * 1024);
    const chunk = Buffer.alloc(stop - start);
    readSync(fd, chunk, 0, chunk.length, start);
    const feed = chunk.lastIndexOf(10);
    chunks.unshift(chunk.subarray(feed + 1));
    if (feed !== -1) break;
    stop = start;
  }
  return Buffer.concat(chunks);
}

/** Appends all of `bytes`, or nothing: a full disk must not leave half a record. */
function writeWhole(fd: number, bytes: Buffer, size: number): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

function writeAnew(path: string, keep: (record: LogRecord) => boolean): void {
  const next = `${path}.new`;
  const fd = openSync(next, 'w', fileMode);
  try {
    for (const item of readLog(path)) {
      if (item.type === 'record' && keep(item.value)) writeSync(fd, `${item.line}\n`);
    }
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(next, path);
  syncFolder(dirname(path));
}
