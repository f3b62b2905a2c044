import { isAscii } from 'node:buffer';
import { type Encoding, unitWidth } from '../base/encoding.ts';
import { wholeUtf8 } from '../base/text.ts';
import type { Sink } from './window-walk.ts';

/** Keeps the first bytes that pass and counts the characters of the rest. */
export interface Keeper {
  readonly take: Sink;
  /** What was kept, free of a character cut in two. */
  bytes(): Buffer;
  /** What was not kept, in characters (UTF-16 units); undefined when everything was. */
  cut(): { readonly chars: number; readonly atLeast: boolean } | undefined;
  /** True when counting was given up: the rest is larger than anyone needs to know exactly. */
  stopped(): boolean;
}

const mostCounted = 64 * 1024 * 1024;

export function createKeeper(encoding: Encoding, maxBytes: number): Keeper {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let dropped = 0;
  let droppedBytes = 0;

  const keep = (bytes: Buffer) => {
    // The walker's buffer is used again.
    kept.push(Buffer.from(bytes));
    keptBytes += bytes.length;
  };

  const take: Sink = (bytes) => {
    const room = maxBytes - keptBytes;
    const fitting = droppedBytes > 0 ? bytes.subarray(0, 0) : whatFits(bytes, room, encoding);
    if (fitting.length > 0) keep(fitting);
    const rest = bytes.subarray(fitting.length);
    dropped += charsIn(rest, encoding);
    droppedBytes += rest.length;
    return droppedBytes < mostCounted;
  };

  return {
    take,
    bytes: () => (kept.length === 1 ? kept[0]! : Buffer.concat(kept)),
    cut: () => (droppedBytes === 0 ? undefined : { chars: dropped, atLeast: droppedBytes >= mostCounted }),
    stopped: () => droppedBytes >= mostCounted,
  };
}

function whatFits(bytes: Buffer, room: number, encoding: Encoding): Buffer {
  return encoding.name === 'UTF-8' ? wholeUtf8(bytes, room) : bytes.subarray(0, room);
}

/** Characters as a string counts them; in legacy encodings of several bytes an upper bound. */
function charsIn(bytes: Buffer, encoding: Encoding): number {
  if (encoding.name !== 'UTF-8') return Math.floor(bytes.length / unitWidth(encoding));
  if (isAscii(bytes)) return bytes.length;
  let chars = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
  return chars;
}
