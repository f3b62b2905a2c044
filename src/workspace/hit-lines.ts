import { isUtf8 } from 'node:buffer';
import { readSync, type Stats } from 'node:fs';
import { decode } from '../base/codec.ts';
import { detectEncoding, type Encoding, isBinary, unitWidth } from '../base/encoding.ts';
import { cutAround } from './cut-line.ts';
import type { FileHits } from './search.ts';
import type { Hit } from './search-rows.ts';
import type { Workspace } from './workspace.ts';

/** A line to print: decoded, without its line end, cut around the match when it is long. */
export interface HitLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export interface HitLineOptions {
  /** Longer lines are cut, and the cut is marked. */
  readonly maxChars: number;
  /** A NUL in this many first bytes makes a file binary. */
  readonly binaryWindow: number;
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
    const head = readAt(fd, 0, Math.max(options.binaryWindow, 4096));
    if (isBinary(head, options.binaryWindow)) return undefined;
    const encoding = detectEncoding(head);
    if (unitWidth(encoding) > 1) return wideLines(fd, stats, encoding, hits, options.maxChars);
    const start = encoding.name === 'UTF-8' ? encoding.bom.length : 0;
    return hits.flatMap((hit) => readLine(fd, { ...hit, offset: hit.offset + start }, start, options.maxChars) ?? []);
  });
}

/** Most of a line that is looked at: enough for any line that is shown whole. */
const pieceBytes = 8192;

function readLine(fd: number, hit: Hit, start: number, maxChars: number): HitLine | undefined {
  const before = Math.min(1, hit.offset - start);
  const piece = readAt(fd, hit.offset - before, pieceBytes);
  if (before === 1 && piece[0] !== newline) return undefined;
  const rest = piece.subarray(before);
  const end = rest.indexOf(newline);
  if (end < 0 && piece.length === pieceBytes) return { line: hit.line, text: longLine(fd, hit, maxChars) };
  const bytes = withoutReturn(end < 0 ? rest : rest.subarray(0, end));
  const at = decodeLine(bytes.subarray(0, hit.column - 1)).length;
  return { line: hit.line, text: cutAround(decodeLine(bytes), at, maxChars, { left: false, right: false }) };
}

const newline = 0x0a;

/** A line too long to read whole: only the surroundings of its first match. */
function longLine(fd: number, hit: Hit, maxChars: number): string {
  const reach = maxChars * 4;
  const matchAt = hit.offset + hit.column - 1;
  const from = Math.max(hit.offset, matchAt - reach);
  const piece = readAt(fd, from, 2 * reach);
  const end = piece.indexOf(newline);
  const bytes = wholeCharacters(end < 0 ? piece : withoutReturn(piece.subarray(0, end)));
  const at = decodeLine(bytes.subarray(0, matchAt - from)).length;
  return cutAround(decodeLine(bytes), at, maxChars, { left: from > hit.offset, right: end < 0 });
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

function decodeLine(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : decode(bytes);
}

function withoutReturn(line: Buffer): Buffer {
  return line[line.length - 1] === 0x0d ? line.subarray(0, -1) : line;
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
    const whole = text.slice(at, end < 0 ? undefined : end).replace(/\r$/, '');
    const column = Buffer.from(whole)
      .subarray(0, hit.column - 1)
      .toString().length;
    found.push({ line: hit.line, text: cutAround(whole, column, maxChars, { left: false, right: false }) });
  }
  return found;
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
