import { randomBytes } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  lutimesSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode, ToolError } from './error.ts';
import { type Holder, holderText, parseHolder } from './lock-holder.ts';
import { makeOwnFolder } from './own-folder.ts';
import { processState } from './process-mark.ts';

/**
 * A lock between processes that survives a crash: a symbolic link whose *target text* names the holder, so that making
 * it and saying who holds it are one atomic step. Where links can't be made (some Windows and network disks) it is a
 * small file made exclusively. A lock whose holder is dead is broken by the next one who wants it.
 */
export interface Lock {
  release(): void;
  /** To be called now and then while a lock is held for long, so that other machines see that it is in use. */
  touch(): void;
}

/** Somebody else has it. `pid` is 0 when the lock can't be read. */
export interface Busy {
  readonly busy: true;
  readonly pid: number;
}

/** A holder that can't be looked at (another machine, an unreadable lock) counts as dead after this long, in ms. */
const unknownHolderLimit = 10 * 60_000;
const touchEvery = 60_000;
const run = randomBytes(4).toString('base64url');
let taken = 0;

/** Takes the lock or says who has it; never waits. The folder is made when missing. */
export function tryLock(path: string): Lock | Busy {
  taken += 1;
  const text = holderText(`${run}${taken.toString(36)}`);
  for (;;) {
    if (plant(path, text)) return heldLock(path, text);
    const found = readMarker(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (!isDead(holder, path)) return { busy: true, pid: holder?.pid ?? 0 };
    if (!breakLock(path, found, holder?.token ?? 'unreadable')) return { busy: true, pid: holder?.pid ?? 0 };
  }
}

function heldLock(path: string, text: string): Lock {
  let touched = Date.now();
  let released = false;
  return {
    release: () => {
      if (released) return;
      released = true;
      // A lock that was not held for long can't have been taken for a dead holder's.
      if (Date.now() - touched < touchEvery) removeAny(path);
      else removeIf(path, text);
    },
    touch: () => {
      if (Date.now() - touched < touchEvery) return;
      touched = Date.now();
      lutimesSync(path, new Date(), new Date());
    },
  };
}

/** Waits for the lock, blocking the thread; for sections of a few milliseconds. Throws `failed` after `waitMs` (default 10 s). */
export function lockSync(path: string, waitMs = 10_000): Lock {
  const end = Date.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    const lock = tryLock(path);
    if (!('busy' in lock)) return lock;
    if (Date.now() >= end) throw heldTooLong(path, lock.pid, waitMs);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

/** Waits for the lock. Throws `failed` after `waitMs` (default 30 s). */
export async function lock(path: string, waitMs = 30_000): Promise<Lock> {
  const end = Date.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const lock = tryLock(path);
    if (!('busy' in lock)) return lock;
    if (Date.now() >= end) throw heldTooLong(path, lock.pid, waitMs);
    await sleep(pause);
  }
}

function heldTooLong(path: string, pid: number, waitMs: number): ToolError {
  const who = pid === 0 ? 'another process' : `process ${pid}`;
  return new ToolError(
    'failed',
    `Waited ${waitMs / 1000} s for a lock that ${who} holds; nothing was done. If no such process runs, delete ${path}`,
  );
}

function plant(path: string, text: string): boolean {
  try {
    symlinkSync(text, path);
    return true;
  } catch (error) {
    switch (systemCode(error)) {
      case 'EEXIST':
        return false;
      case 'ENOENT':
        makeOwnFolder(dirname(path));
        return plant(path, text);
      case 'EPERM':
      case 'ENOSYS':
      case 'ENOTSUP':
      case 'EOPNOTSUPP':
        return plantFile(path, text);
      default:
        throw error;
    }
  }
}

function plantFile(path: string, text: string): boolean {
  try {
    const fd = openSync(path, 'wx', 0o600);
    writeSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The text of the lock, or undefined when it is gone. */
function readMarker(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isDead(holder: Holder | undefined, path: string): boolean {
  const state = holder === undefined ? 'unknown' : processState(holder);
  if (state !== 'unknown') return state === 'dead';
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > unknownHolderLimit;
}

/**
 * Removes a dead holder's lock. Whoever does so first takes a second lock that is named after the dead holder's token;
 * under it nobody else can remove *this* holder's lock, so looking and removing can't hit a newer holder's.
 */
function breakLock(path: string, dead: string, token: string): boolean {
  const guard = tryLock(`${path}.${token}`);
  if ('busy' in guard) return false;
  try {
    removeIf(path, dead);
    return true;
  } finally {
    guard.release();
  }
}

function removeIf(path: string, text: string): void {
  if (readMarker(path) === text) removeAny(path);
}

function removeAny(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
