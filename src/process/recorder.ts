import { type Captured, nothing } from './excerpt.ts';
import { letGo } from './let-go.ts';
import { ring } from './ring.ts';
import { createSpool, keptHead, type SpoolTarget } from './spool.ts';
import type { Masker } from './text-filter.ts';
import { settleLines, textStream } from './text-stream.ts';

export type StreamName = 'stdout' | 'stderr';

export interface RecorderOptions {
  readonly mask: Masker;
  readonly onOutput?: (stream: StreamName, text: string) => void;
  readonly spool?: SpoolTarget;
  /** Every byte goes to `onOutput`, however much it is: for a command whose output is read as it comes. */
  readonly follow?: boolean;
}

export interface Recording {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** The file that holds the whole, when there was more than a result shows. */
  readonly spooled?: string;
}

/** Takes a running program's output as it comes, in bounded memory. */
export interface Recorder {
  /** Copies what it needs of `chunk` and lets go of it. */
  push(stream: StreamName, chunk: Buffer): void;
  /** The last line so far when it has no end yet: what a waiting program's prompt looks like. */
  openLine(): string;
  finish(): Recording;
}

const keptPerStream = 65_536;
/** Beyond this much output nobody reads all of it, unless it goes to a file. */
const readable = 2 * 1024 * 1024;
const liveWhole = 1024 * 1024;
const liveSample = 2048;
const liveEveryMs = 200;

export function createRecorder(options: RecorderOptions): Recorder {
  const spool = options.spool === undefined ? undefined : createSpool(options.spool, options.mask);
  const live = options.follow || options.onOutput === undefined ? options.onOutput : liveView(options.onOutput);
  const decoded = options.follow ? Number.POSITIVE_INFINITY : spool === undefined ? readable : keptHead;
  const streams = { stdout: oneStream(options.mask), stderr: oneStream(options.mask) };
  let total = 0;
  let line = '';

  const take = (name: StreamName, text: string) => {
    if (text === '') return;
    streams[name].keep(text);
    spool?.write(text);
    live?.(name, text);
    line = text.includes('\n') ? text.slice(text.lastIndexOf('\n') + 1) : (line + text).slice(-500);
  };

  return {
    push(name, chunk) {
      const stream = streams[name];
      stream.ring.push(chunk);
      if (total < decoded) take(name, stream.text.push(chunk));
      else spool?.overflow(chunk);
      total += chunk.length;
      letGo(chunk);
    },
    openLine: () => settleLines(line),
    finish() {
      const ended = total <= decoded;
      for (const name of ['stdout', 'stderr'] as const) {
        // Cut short, what was held back may be half a secret.
        if (ended) take(name, streams[name].text.finish());
      }
      const spooled = spool?.finish();
      const recording = { stdout: streams.stdout.captured(ended), stderr: streams.stderr.captured(ended) };
      return spooled === undefined ? recording : { ...recording, spooled };
    },
  };
}

function oneStream(mask: Masker) {
  const bytes = ring(keptPerStream);
  let head = '';
  let chars = 0;
  let full = false;
  return {
    ring: bytes,
    text: textStream(mask()),
    keep(text: string) {
      chars += text.length;
      if (full) return;
      const room = keptPerStream - head.length;
      full = text.length > room;
      head += full ? text.slice(0, room) : text;
    },
    captured(ended: boolean): Captured {
      if (bytes.total === 0) return nothing;
      if (!full && ended) return whole(head, bytes.total);
      // The other stream was long, this one is kept as it came.
      if (!full && bytes.total <= keptPerStream) return whole(decoded(bytes.pieces(), mask), bytes.total);
      const shown = withoutHalfSecret(head);
      const tail = tailText(bytes.pieces(), mask);
      const lost = ended
        ? chars - shown.length - tail.length
        : bytes.total - Buffer.byteLength(shown) - Buffer.byteLength(tail);
      return {
        head: settleLines(shown),
        tail: settleLines(tail),
        bytes: bytes.total,
        lost: Math.max(0, lost),
        lostIn: ended ? 'chars' : 'bytes',
      };
    },
  };
}

function whole(text: string, bytes: number): Captured {
  return { head: settleLines(text), tail: '', bytes, lost: 0, lostIn: 'chars' };
}

function decoded(pieces: readonly Buffer[], mask: Masker): string {
  const text = textStream(mask());
  return pieces.map((piece) => text.push(piece)).join('') + text.finish();
}

/** The head's last line may end inside a secret: it is dropped, or shortened when it is the only one. */
function withoutHalfSecret(head: string): string {
  const line = head.lastIndexOf('\n');
  return line > head.length - 4096 && line > 0 ? head.slice(0, line + 1) : head.slice(0, -4096);
}

/** The kept end begins anywhere, perhaps inside a secret: what comes before its first whole line is dropped. */
function tailText(pieces: readonly Buffer[], mask: Masker): string {
  const raw = Buffer.concat(pieces);
  const line = raw.subarray(0, 4096).indexOf(0x0a);
  let from = line >= 0 ? line + 1 : Math.min(4096, raw.length);
  while (line < 0 && from < raw.length && (raw[from]! & 0xc0) === 0x80) from += 1;
  return decoded([raw.subarray(from)], mask);
}

/** The first megabyte as it comes, then the latest lines a few times a second. */
function liveView(show: (stream: StreamName, text: string) => void) {
  let shown = 0;
  let next = 0;
  return (stream: StreamName, text: string) => {
    shown += text.length;
    if (shown <= liveWhole) return show(stream, text);
    const now = Date.now();
    if (now < next) return;
    next = now + liveEveryMs;
    show(stream, text.slice(-liveSample));
  };
}
