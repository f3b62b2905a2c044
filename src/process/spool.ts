import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnFolder } from '../base/own-folder.ts';
import { ring } from './ring.ts';
import type { Masker } from './text-filter.ts';
import { textStream } from './text-stream.ts';

/** Where the whole output goes: `folder/id`, made when needed, readable by the owner only. */
export interface SpoolTarget {
  readonly folder: string;
  readonly id: string;
}

export interface Spool {
  /** Readable, masked text of the head. */
  write(text: string): void;
  /** Raw bytes past the head; the last of them are kept. */
  overflow(chunk: Buffer): void;
  /** Writes the tail; the file's path, or undefined when all fitted into a result or nothing could be written. */
  finish(): string | undefined;
}

/** Shorter output is whole in the result. */
const worthAFile = 24_000;
/** Head and tail together: 64 MB. */
export const keptHead = 56 * 1024 * 1024;
const keptTail = 8 * 1024 * 1024;

export function createSpool(target: SpoolTarget, mask: Masker): Spool {
  const tail = ring(keptTail);
  let waiting: string[] = [];
  let waitingLength = 0;
  let written = 0;
  let file: { readonly fd: number; readonly path: string } | undefined;
  let broken = false;

  const flush = () => {
    if (broken) return;
    try {
      file ??= create(target);
      writeSync(file.fd, waiting.join(''));
    } catch {
      // A full disk must not end the command; the result then names no file.
      broken = true;
    }
    waiting = [];
    waitingLength = 0;
  };

  return {
    write(text) {
      if (broken) return;
      written += text.length;
      if (written > keptHead) return tail.push(Buffer.from(text));
      waiting.push(text);
      waitingLength += text.length;
      if (waitingLength > worthAFile) flush();
    },
    overflow: (chunk) => tail.push(chunk),
    finish() {
      if (file === undefined && waitingLength <= worthAFile && tail.total === 0) return undefined;
      if (tail.total > 0) waiting.push(...tailTexts(tail, mask));
      flush();
      if (file !== undefined) closeSync(file.fd);
      return broken ? undefined : file?.path;
    },
  };
}

function* tailTexts(tail: ReturnType<typeof ring>, mask: Masker): Generator<string> {
  const text = textStream(mask());
  const lost = tail.total - tail.pieces().reduce((sum, piece) => sum + piece.length, 0);
  if (lost > 0) yield `\n... [${lost.toLocaleString('en-US')} bytes left out]\n`;
  let first = lost > 0;
  for (const piece of tail.pieces()) {
    // The first line may begin inside a secret.
    const from = first ? piece.indexOf(0x0a) + 1 : 0;
    first = false;
    yield text.push(piece.subarray(from));
  }
  yield text.finish();
}

function create(target: SpoolTarget): { fd: number; path: string } {
  makeOwnFolder(target.folder);
  for (let attempt = 1; ; attempt += 1) {
    const path = join(target.folder, attempt === 1 ? target.id : `${target.id}-${attempt}`);
    try {
      return { fd: openSync(path, 'wx', 0o600), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 100) throw error;
    }
  }
}
