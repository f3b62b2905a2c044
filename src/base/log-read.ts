import { closeSync, openSync, readSync } from 'node:fs';
import { systemCode } from './error.ts';

/** One piece of a log, in file order. */
export type LogItem =
  | {
      readonly type: 'record';
      readonly value: Readonly<Record<string, unknown>>;
      /** The record's text as it stands in the file, without the line end. */
      readonly line: string;
      /** Offset of the first byte after it and its line end. */
      readonly end: number;
    }
  | { readonly type: 'damage'; readonly text: string; readonly end: number };

const chunkBytes = 64 * 1024;
/** A line longer than this is damage; it bounds what a reader holds at once. */
const maxLineBytes = 64 * 1024 * 1024;
const lineFeed = 10;

/**
 * Reads a log of JSON lines from byte `from` on, holding one line at a time. Only LF separates lines. What is damaged
 * (runs of NUL bytes that a crash left, a torn last line, garbage) is passed over and reported; no record before,
 * between or after is lost. A missing file is an empty log.
 */
export function* readLog(path: string, from = 0): Generator<LogItem> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    for (const line of lines(fd, from)) yield* itemsOf(line);
  } finally {
    closeSync(fd);
  }
}

/** All records, and a sentence for each damaged place. For logs that are known to be small. */
export function readWholeLog(path: string): { records: Readonly<Record<string, unknown>>[]; warnings: string[] } {
  const records: Readonly<Record<string, unknown>>[] = [];
  const warnings: string[] = [];
  for (const item of readLog(path)) {
    if (item.type === 'record') records.push(item.value);
    else warnings.push(item.text);
  }
  return { records, warnings };
}

interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  readonly end: number;
  /** False for a last line without its line end. */
  readonly complete: boolean;
  /** Bytes that were dropped because the line was too long. */
  readonly dropped: number;
}

function* lines(fd: number, from: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let size = 0;
  let dropped = 0;
  let number = 1;
  let at = from;
  for (;;) {
    const count = readSync(fd, chunk, 0, chunk.length, at);
    if (count === 0) break;
    let start = 0;
    while (start < count) {
      const feed = chunk.subarray(0, count).indexOf(lineFeed, start);
      const stop = feed === -1 ? count : feed;
      if (size + stop - start > maxLineBytes) dropped += stop - start;
      else {
        parts.push(Buffer.from(chunk.subarray(start, stop)));
        size += stop - start;
      }
      if (feed === -1) break;
      yield { number, bytes: Buffer.concat(parts), end: at + feed + 1, complete: true, dropped };
      parts = [];
      size = 0;
      dropped = 0;
      number += 1;
      start = feed + 1;
    }
    at += count;
  }
  if (size > 0) yield { number, bytes: Buffer.concat(parts), end: at, complete: false, dropped };
}

function* itemsOf({ number, bytes, end, complete, dropped }: Line): Generator<LogItem> {
  if (dropped > 0) {
    yield damage(`line ${number} is longer than ${maxLineBytes} bytes and was skipped`, end);
    return;
  }
  const nuls = countNuls(bytes);
  if (nuls > 0) yield damage(`line ${number}: ${nuls} NUL bytes were skipped`, end);
  for (const piece of nuls > 0 ? betweenNuls(bytes) : [bytes]) {
    if (piece.length === 0) continue;
    const line = piece.toString('utf8');
    const value = parseRecord(line);
    if (value !== undefined) yield { type: 'record', value, line, end };
    else if (complete) yield damage(`line ${number}: ${piece.length} bytes are no record and were skipped`, end);
    else yield damage(`line ${number}: the last record is torn (${piece.length} bytes) and was dropped`, end);
  }
}

function damage(text: string, end: number): LogItem {
  return { type: 'damage', text, end };
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function countNuls(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0); at !== -1 && at < bytes.length; at += 1) {
    if (bytes[at] === 0) count += 1;
  }
  return count;
}

function betweenNuls(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && bytes[at] !== 0) continue;
    if (at > start) pieces.push(bytes.subarray(start, at));
    start = at + 1;
  }
  return pieces;
}
