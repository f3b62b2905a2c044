import type { Pieces } from './window-pieces.ts';

/** How a line end is spelled: the bytes of a code unit, and their order. */
export interface UnitOrder {
  readonly width: 1 | 2 | 4;
  readonly bigEndian: boolean;
}

export interface Walked {
  /** Behind the last line, in bytes. */
  readonly position: number;
  /** Lines passed; an unfinished one at the end of the file counts. */
  readonly lines: number;
  /** Whether the file ended before `count` line ends were found. */
  readonly ended: boolean;
}

/** Takes bytes that were passed; `false` ends the walk. The buffer is used again afterwards. */
export type Sink = (bytes: Buffer) => boolean;

const breathEvery = 64;

/**
 * Walks over `count` lines of an open file from `start`, which begins a line, at the speed of a bare search for line
 * ends. Memory is one piece; `breathe` is awaited every 16 MB, so that other work goes on.
 */
export async function walkLines(
  pieces: Pieces,
  start: number,
  count: number,
  order: UnitOrder,
  breathe: () => Promise<void>,
  sink: Sink = () => true,
): Promise<Walked> {
  let position = start;
  let lines = 0;
  let unfinished = false;
  if (count === 0) return { position, lines, ended: false };
  for (let turn = 1; ; turn += 1) {
    const chunk = pieces.at(position);
    if (chunk.length === 0) return { position, lines: lines + (unfinished ? 1 : 0), ended: true };
    const passed = passLines(chunk, count - lines, order);
    lines += passed.lines;
    position += passed.end;
    unfinished = passed.end > passed.lastEnd || (unfinished && passed.lines === 0);
    if (!sink(chunk.subarray(0, passed.end)) || lines === count) return { position, lines, ended: false };
    if (turn % breathEvery === 0) await breathe();
  }
}

/** Passes at most `count` line ends of a chunk; `end` is behind the last one wanted, or the chunk's end. */
function passLines(chunk: Buffer, count: number, order: UnitOrder): { lines: number; end: number; lastEnd: number } {
  let lines = 0;
  let lastEnd = 0;
  let at = nextLineEnd(chunk, 0, order);
  while (at !== -1) {
    lines += 1;
    lastEnd = at + order.width;
    if (lines === count) return { lines, end: lastEnd, lastEnd };
    at = nextLineEnd(chunk, lastEnd, order);
  }
  return { lines, end: chunk.length, lastEnd };
}

function nextLineEnd(chunk: Buffer, from: number, { width, bigEndian }: UnitOrder): number {
  if (width === 1) return chunk.indexOf(10, from);
  for (let at = from; at + width <= chunk.length; at += width) {
    if (chunk[bigEndian ? at + width - 1 : at] === 10 && isUnit(chunk, at, width)) return at;
  }
  return -1;
}

/** All bytes but the line end's own are zero. */
function isUnit(chunk: Buffer, at: number, width: number): boolean {
  let sum = 0;
  for (let i = 0; i < width; i += 1) sum += chunk[at + i]!;
  return sum === 10;
}
