import { openLog } from '../base/log.ts';
import { isEvent } from './record.ts';
import { loadSession } from './record-read.ts';
import { newSessionId, sessionFile } from './session.ts';
import { shareImages } from './session-images.ts';
import { findSession } from './session-list.ts';

/** Copies a session under a new id, so that two ways can be gone from the same point. Returns the new id. */
export function forkSession(home: string, wanted: string): string {
  const from = findSession(home, wanted);
  const id = newSessionId();
  const log = openLog(sessionFile(home, id), { exclusive: true });
  const { records } = loadSession(sessionFile(home, from));
  try {
    shareImages(home, from, id, records);
    for (const record of records) {
      log.append(isEvent(record, 'session') ? { ...record, session: id, from } : { ...record });
    }
  } finally {
    log.close();
  }
  return id;
}
