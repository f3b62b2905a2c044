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

  /** A piece that was kept whole may end within a character, for whose rest there is no room now. */
  const dropTorn = () => {
    const last = kept.pop() ?? Buffer.alloc(0);
    const end = wholeEnd(last, encoding);
    kept.push(last.subarray(0, end));
    dropped += charsIn(last.subarray(end), encoding);
  };

  const take: Sink = (bytes) => {
    const room = maxBytes - keptBytes;
    const fitting = droppedBytes > 0 ? bytes.subarray(0, 0) : whatFits(bytes, room, encoding);
    if (fitting.length > 0) keep(fitting);
    const rest = bytes.subarray(fitting.length);
    if (rest.length > 0 && droppedBytes === 0) dropTorn();
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

/** Behind the last whole character. */
function wholeEnd(bytes: Buffer, { name }: Encoding): number {
  const { length } = bytes;
  if (name.startsWith('UTF-16') && length >= 2)
    return isHighSurrogate(bytes.at(name === 'UTF-16LE' ? -1 : -2)!) ? length - 2 : length;
  if (name !== 'UTF-8') return length;
  const lead = bytes.subarray(-3).findLastIndex((byte) => byte >= 0xc0);
  if (lead < 0) return length;
  const at = Math.max(length - 3, 0) + lead;
  return length - at < charBytes(bytes[at]!) ? at : length;
}

function isHighSurrogate(highByte: number): boolean {
  return highByte >= 0xd8 && highByte <= 0xdb;
}

/** Of a UTF-8 character that begins with this byte. */
function charBytes(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/** Characters as a string counts them; in legacy encodings of several bytes an upper bound. */
function charsIn(bytes: Buffer, encoding: Encoding): number {
  if (encoding.name !== 'UTF-8') return Math.floor(bytes.length / unitWidth(encoding));
  if (isAscii(bytes)) return bytes.length;
  let chars = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
  return chars;
}
