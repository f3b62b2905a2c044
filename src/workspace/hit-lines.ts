import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { decode } from '../base/codec.ts';
import { detectEncoding, type Encoding, isBinary, unitWidth } from '../base/encoding.ts';
import { linesAround } from './context-lines.ts';
import { cutAround } from './cut-line.ts';
import { readAt } from './read-at.ts';
import { readWindow } from './read-window.ts';
import type { FileHits } from './search.ts';
import type { Hit } from './search-rows.ts';
import type { Workspace } from './workspace.ts';

/** A line to print: decoded, without its line end, cut around the match when it is long. */
export interface HitLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** A line near a hit, not one itself. */
  readonly context?: true;
}

export interface HitLineOptions {
  /** Longer lines are cut, and the cut is marked. */
  readonly maxChars: number;
  /** A NUL in this many first bytes makes a file binary. */
  readonly binaryWindow: number;
  /** The hits are from a search for bytes of old encodings: only lines that are no UTF-8 count, read so that they hold one of these. */
  readonly foreign?: ReadonlySet<string>;
  /** So many lines before and after each hit come with it. UTF-16 files have none. */
  readonly context?: number;
}

/**
 * Reads the lines of hits, through the workspace, a piece around each hit at a time. Undefined for a binary file. A hit
 * whose line isn't there any more is left out: the file changed while it was searched.
 */
export function readHitLines(
  workspace: Workspace,
  { path, hits }: FileHits,
  options: HitLineOptions,
): Promise<readonly HitLine[] | undefined> {
  return workspace.open(path, (fd, stats) => {
    const read = readWindow(fd);
    const head = read(0, Math.max(options.binaryWindow, 4096));
    if (isBinary(head, options.binaryWindow)) return undefined;
    const encoding = detectEncoding(head);
    if (unitWidth(encoding) > 1) return options.foreign ? [] : wideLines(fd, stats, encoding, hits, options.maxChars);
    const start = encoding.name === 'UTF-8' ? encoding.bom.length : 0;
    const reading = { read, start, maxChars: options.maxChars, decode: lineDecoder(fd, options.foreign) };
    const placed = hits.map((hit) => ({ ...hit, offset: hit.offset + start }));
    const lines = placed.flatMap((hit) => readLine(reading, hit) ?? []);
    return options.context ? withContext(reading, placed, lines, options.context) : lines;
  });
}

/** Most of a line that is looked at: enough for any line that is shown whole. */
const pieceBytes = 8192;

interface Reading {
  readonly read: (position: number, length: number) => Buffer;
  /** Where the text begins, behind a byte-order mark. */
  readonly start: number;
  readonly maxChars: number;
  /** Undefined for a line that does not count. */
  readonly decode: (bytes: Buffer) => string | undefined;
}

function readLine(reading: Reading, hit: Hit): HitLine | undefined {
  const before = Math.min(1, hit.offset - reading.start);
  const piece = reading.read(hit.offset - before, pieceBytes);
  if (before === 1 && piece[0] !== newline) return undefined;
  const rest = piece.subarray(before);
  const end = rest.indexOf(newline);
  if (end < 0 && piece.length === pieceBytes) return longLine(reading, hit);
  return shownLine(reading, hit, withoutReturn(end < 0 ? rest : rest.subarray(0, end)), hit.column - 1, uncut);
}

const newline = 0x0a;
const uncut = { left: false, right: false };

/** A line too long to read whole: only the surroundings of its first match. */
function longLine(reading: Reading, hit: Hit): HitLine | undefined {
  const reach = reading.maxChars * 4;
  const matchAt = hit.offset + hit.column - 1;
  const from = Math.max(hit.offset, matchAt - reach);
  const piece = reading.read(from, 2 * reach);
  const end = piece.indexOf(newline);
  const bytes = wholeCharacters(end < 0 ? piece : withoutReturn(piece.subarray(0, end)));
  return shownLine(reading, hit, bytes, matchAt - from, { left: from > hit.offset, right: end < 0 });
}

function shownLine(reading: Reading, hit: Hit, bytes: Buffer, at: number, cut: typeof uncut): HitLine | undefined {
  const text = reading.decode(bytes);
  if (text === undefined) return undefined;
  const before = text.length === bytes.length ? at : (reading.decode(bytes.subarray(0, at)) ?? '').length;
  return { line: hit.line, text: cutAround(text, before, reading.maxChars, cut) };
}

function withContext(reading: Reading, hits: readonly Hit[], lines: readonly HitLine[], count: number): HitLine[] {
  const all = new Map<number, HitLine>();
  for (const hit of hits) {
    for (const { line, bytes } of linesAround(reading.read, reading.start, hit, count)) {
      const text = reading.decode(withoutReturn(bytes)) ?? bytes.toString('latin1');
      all.set(line, { line, text: cutAround(text, 0, reading.maxChars, uncut), context: true });
    }
  }
  for (const line of lines) all.set(line.line, line);
  return [...all.values()].sort((a, b) => a.line - b.line);
}

/** Drops what a cut left of a UTF-8 character at either end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < Math.min(3, bytes.length) && isContinuation(bytes[from]!)) from += 1;
  let to = bytes.length;
  while (to > from && bytes.length - to < 4 && !isUtf8(bytes.subarray(from, to))) to -= 1;
  const trimmed = bytes.subarray(from, to);
  return isUtf8(trimmed) ? trimmed : bytes;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

const guessBytes = 64 * 1024;

/** Reads lines as UTF-8, else in the encoding that the file's beginning suggests, or in one that gives an expected character. */
function lineDecoder(fd: number, foreign: ReadonlySet<string> | undefined): Reading['decode'] {
  let guessed: Encoding | undefined;
  const guess = () => {
    guessed ??= detectEncoding(readAt(fd, 0, guessBytes));
    return guessed.name === 'UTF-8' ? old('Windows-1252') : guessed;
  };
  if (foreign === undefined) return (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : decode(bytes, guess()));
  return (bytes) => {
    if (isUtf8(bytes)) return undefined;
    const readings = [guess(), old('Windows-1252'), old('Shift_JIS')].map((encoding) => decode(bytes, encoding));
    return readings.find((text) => [...text].some((character) => foreign.has(character)));
  };
}

function old(name: string): Encoding {
  return { name, bom: Buffer.alloc(0), certain: false };
}

/** A line end may have been doubled by a careless conversion: `\r\r\n`. */
function withoutReturn(line: Buffer): Buffer {
  let end = line.length;
  while (line[end - 1] === 0x0d) end -= 1;
  return line.subarray(0, end);
}

const largestWideFile = 64 * 1024 * 1024;

/** UTF-16 and UTF-32: the engine searched a UTF-8 copy, so its lines are found by their number. */
function wideLines(fd: number, stats: Stats, encoding: Encoding, hits: readonly Hit[], maxChars: number): HitLine[] {
  const text = decode(readAt(fd, 0, Math.min(stats.size, largestWideFile)), encoding);
  const found: HitLine[] = [];
  let line = 1;
  let at = 0;
  for (const hit of hits) {
    for (; line < hit.line && at >= 0; line += 1) at = text.indexOf('\n', at) + 1 || -1;
    if (at < 0) break;
    const end = text.indexOf('\n', at);
    const whole = text.slice(at, end < 0 ? undefined : end).replace(/\r+$/, '');
    const column = Buffer.from(whole)
      .subarray(0, hit.column - 1)
      .toString().length;
    found.push({ line: hit.line, text: cutAround(whole, column, maxChars, uncut) });
  }
  return found;
}
