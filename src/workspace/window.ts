import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { decode } from '../base/codec.ts';
import { detectEncoding, type Encoding, isBinary, unitWidth } from '../base/encoding.ts';
import { ToolError } from '../base/error.ts';
import { wholeUtf8 } from '../base/text.ts';
import { digestOf } from './file-state.ts';
import { createKeeper } from './window-keeper.ts';
import { firstPieceBytes, openPieces, type Pieces } from './window-pieces.ts';
import { walkLines } from './window-walk.ts';

/** Some lines of a file. */
export interface LineWindow {
  /** Number of the first line, from 1. */
  readonly first: number;
  /** Text of the lines without their ends (LF or CRLF); the last one may be cut when `cut` is set. */
  readonly lines: readonly string[];
  /** What of the lines asked for is not in `lines`: characters (UTF-16 units), `atLeast` when it was not counted out. */
  readonly cut?: { readonly chars: number; readonly atLeast: boolean };
  /** Lines of the whole file; undefined when the window ends before the file does. */
  readonly total?: number;
  readonly encoding: Encoding;
  /** SHA-256 of the file, when the window holds all of it. */
  readonly digest?: string;
}

export interface WindowOptions {
  /** First line, from 1. */
  readonly offset: number;
  /** The most lines. */
  readonly limit: number;
  /** The most bytes kept; a multiple of 4. What is beyond is only counted. Default 128 KB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const defaultMaxBytes = 128 * 1024;
/** Text with a NUL so early is UTF-16 or UTF-32. */
const nulWindow = 8192;

/**
 * Reads some lines of an open file in constant memory, however large the file and its lines are.
 *
 * Throws `conflict` for a binary file (a NUL in the first 8 KB, unless it is UTF-16 or UTF-32) and `invalid` when the
 * file ends before `offset`.
 *
 * @param given the file's name, for errors
 */
export async function readWindow(fd: number, given: string, options: WindowOptions): Promise<LineWindow> {
  const pieces = openPieces(fd);
  try {
    return await windowOf(pieces, given, options);
  } finally {
    pieces.release();
  }
}

async function windowOf(pieces: Pieces, given: string, options: WindowOptions): Promise<LineWindow> {
  const { offset, limit, signal } = options;
  const detected = encodingOf(pieces.at(0), given);
  const width = unitWidth(detected);
  const order = { width, bigEndian: detected.name.endsWith('BE') };
  const breathe = async () => {
    signal?.throwIfAborted();
    await setImmediate();
  };

  const skipped = await walkLines(pieces, detected.bom.length, offset - 1, order, breathe);
  if (skipped.ended) throw pastEnd(given, offset, skipped.lines);
  const keeper = createKeeper(detected, options.maxBytes ?? defaultMaxBytes);
  const taken = await walkLines(pieces, skipped.position, limit, order, breathe, keeper.take);
  if (taken.lines === 0 && offset > 1) throw pastEnd(given, offset, offset - 1);

  const bytes = keeper.bytes();
  const ended = taken.ended || (!keeper.stopped() && pieces.at(taken.position).length === 0);
  const encoding = encodingHere(bytes, detected);
  const cut = keeper.cut();
  return {
    first: offset,
    lines: splitLines(decode(bytes, encoding)),
    encoding,
    ...(cut === undefined ? {} : { cut }),
    ...(ended ? { total: offset - 1 + taken.lines } : {}),
    ...(ended && offset === 1 && cut === undefined ? { digest: digestOf(Buffer.concat([detected.bom, bytes])) } : {}),
  };
}

function encodingOf(head: Buffer, given: string): Encoding {
  if (isBinary(head)) throw binary(given, head.indexOf(0));
  const isWhole = head.length < firstPieceBytes || head.subarray(0, nulWindow).includes(0);
  // The head may end within a character.
  return detectEncoding(isWhole ? head : wholeUtf8(head, head.length - 4));
}

/** A file that begins in ASCII may show only further down that it is in a legacy encoding. */
function encodingHere(bytes: Buffer, detected: Encoding): Encoding {
  if (detected.name !== 'UTF-8' || isUtf8(bytes)) return detected;
  return detectEncoding(bytes);
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function binary(given: string, at: number): ToolError {
  return new ToolError(
    'conflict',
    `${given} is a binary file (NUL byte at offset ${at}), so it is not shown. Look at it with a command, such as file or xxd.`,
  );
}

function pastEnd(given: string, offset: number, total: number): ToolError {
  const has = total === 1 ? '1 line' : `${total} lines`;
  return new ToolError('invalid', `offset ${offset} is past the end of ${given}, which has ${has}.`);
}
