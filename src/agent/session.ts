import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { type Log, type LogRecord, openLog } from '../base/log.ts';
import { eventsOf, isUser, type NewRecord, type Session, type SessionRecord } from './record.ts';
import { loadSession } from './record-read.ts';
import { sessionImages } from './session-images.ts';
import { findSession, latestSession } from './session-list.ts';

export interface SessionPlace {
  /** The state folder of the program; sessions live in `sessions/` below it, one file each, readable by the owner only. */
  readonly home: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Takes secrets out of text before it is written. */
  readonly mask?: (text: string) => string;
}

/** What an opened session had to be mended for; shown to the person once. */
export interface OpenedSession {
  readonly session: Session;
  readonly warnings: readonly string[];
}

/**
 * Opens a session for this process alone: a new one, the latest of this workspace, or one by id or unique prefix. Throws
 * `ToolError`: `missing` (no such session), `conflict` (a prefix of several, another workspace's, open elsewhere).
 */
export function openSession(
  place: SessionPlace,
  which: 'new' | 'latest' | { readonly id: string } = 'new',
): OpenedSession {
  if (which === 'new') return { session: newSession(place), warnings: [] };
  const id = which === 'latest' ? latestSession(place.home, place.root) : findSession(place.home, which.id);
  if (id === undefined) throw new ToolError('missing', 'There is no session in this folder yet to go on with.');
  const log = openLog(sessionFile(place.home, id), { exclusive: true });
  const { records, warnings } = loadSession(log.path);
  refuseOtherRoot(id, records, place.root, log);
  return { session: sessionOn(log, id, records, place), warnings };
}

export function sessionFile(home: string, id: string): string {
  return join(home, 'sessions', `${id}.jsonl`);
}

/** Sorts by time, and its beginning is short to type: `1130-191502-4f2a`. */
export function newSessionId(now = new Date()): string {
  const digits = now.toISOString().replaceAll(/[^0-9]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}`;
}

function newSession(place: SessionPlace): Session {
  const id = newSessionId();
  const session = sessionOn(openLog(sessionFile(place.home, id), { exclusive: true }), id, [], place);
  session.append({ type: 'session', session: id, root: place.root });
  return session;
}

function sessionOn(
  log: Log,
  id: string,
  loaded: readonly SessionRecord[],
  { home, root, mask }: SessionPlace,
): Session {
  const records = [...loaded];
  let next = records.reduce((most, record) => Math.max(most, record.id), 0) + 1;
  return {
    id,
    records,
    marksStarts: records.length === 0 || rootOf(records) !== undefined,
    images: sessionImages(home, id),
    append(record: NewRecord) {
      const stored = { id: next, at: Date.now(), ...record };
      const kept = isUser(stored) ? { ...stored, root } : stored;
      const written = (mask === undefined ? kept : maskAll(kept, mask)) as LogRecord;
      log.append(written, { sync: mustSurvive(record) });
      next += 1;
      records.push(stored);
      return stored;
    },
    close: () => log.close(),
  };
}

/**
 * What would do harm if a power cut took it: a command whose start is forgotten would be run again. Of changes the journal
 * tells, and what only a crash of this process can end is safe once it is written.
 */
function mustSurvive(record: NewRecord): boolean {
  return 'type' in record && record.type === 'started' && record.kind !== 'change';
}

function refuseOtherRoot(id: string, records: readonly SessionRecord[], root: string, log: Log): void {
  const there = rootOf(records);
  if (there === undefined || there === root) return;
  log.close();
  throw new ToolError('conflict', `Session ${id} belongs to ${there}. Go on there, or give --root ${there}.`);
}

/** Each thing said names the workspace again, so that no single damaged record loses it. */
function rootOf(records: readonly SessionRecord[]): string | undefined {
  return eventsOf(records, 'session')[0]?.root ?? records.filter(isUser).find(({ root }) => root !== undefined)?.root;
}

function maskAll(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskAll(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAll(item, mask)]));
}
