import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** What `holdsNul` reads into: a whole number of code units. */
export function nulBuffer(): Buffer {
  return Buffer.allocUnsafe(64 * 1024);
}

/**
 * Whether an open file holds a NUL as the engine sees it: a NUL byte, in UTF-16 with a byte-order mark a NUL character.
 * Such a file is not searched. Reads up to it, in constant memory, and gives way to other work now and then.
 */
export async function holdsNul(fd: number, buffer: Buffer, signal: AbortSignal): Promise<boolean> {
  let wide = false;
  for (let turn = 0, position = 0; ; turn += 1) {
    const count = readSync(fd, buffer, 0, buffer.length, position);
    const piece = buffer.subarray(0, count);
    if (position === 0) wide = isMarked(piece);
    if (wide ? holdsNulUnit(piece) : piece.includes(0)) return true;
    if (count < buffer.length) return false;
    position += count;
    if (turn % turnsPerBreath < turnsPerBreath - 1) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Some megabytes. */
const turnsPerBreath = 64;

function isMarked(head: Buffer): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

function holdsNulUnit(piece: Buffer): boolean {
  for (let at = piece.indexOf(0); at >= 0; at = piece.indexOf(0, at + 1)) {
    if (at % 2 === 0 && piece[at + 1] === 0) return true;
  }
  return false;
}
