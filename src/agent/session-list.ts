import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import { openLog } from '../base/log.ts';
import { readLog } from '../base/log-read.ts';
import { removeOutputs } from '../process/outputs.ts';
import { removeImages } from './session-images.ts';

/** One session as a list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly updated: number;
  /** Beginning of the first prompt, in one line. */
  readonly title: string;
  readonly forkedFrom?: string;
}

/** All sessions, or those of one workspace, latest first. Reads only the beginning of each. */
export function listSessions(home: string, root?: string): SessionSummary[] {
  const found: SessionSummary[] = [];
  for (const { id, updated } of filesByAge(home)) {
    const summary = summarize(home, id, updated);
    if (root === undefined || summary.root === root) found.push(summary);
  }
  return found;
}

/** The id of the session of `root` that was last written, or undefined. */
export function latestSession(home: string, root: string): string | undefined {
  return filesByAge(home).find(({ id, updated }) => summarize(home, id, updated).root === root)?.id;
}

/** The one session whose id is or begins with `wanted`. Throws `missing` or, when several do, `conflict`. */
export function findSession(home: string, wanted: string): string {
  const ids = filesByAge(home).map(({ id }) => id);
  const matches = ids.includes(wanted) ? [wanted] : ids.filter((id) => wanted !== '' && id.startsWith(wanted));
  if (matches.length === 1) return matches[0]!;
  if (matches.length === 0)
    throw new ToolError('missing', `No session begins with "${wanted}". \`benchdog sessions\` lists them.`);
  throw new ToolError(
    'conflict',
    `${matches.length} sessions begin with "${wanted}": ${matches.slice(0, 5).join(', ')}. Give more of the id.`,
  );
}

/** Removes a session; one that is open elsewhere is `conflict`. */
export function removeSession(home: string, wanted: string): string {
  const id = findSession(home, wanted);
  const file = fileOf(home, id);
  const log = openLog(file, { exclusive: true });
  log.remove();
  removeOutputs(home, id);
  removeImages(home, id);
  return id;
}

/** Removes the sessions that nobody wrote to for `days` days; those in use stay. Returns the removed ids. */
export function expireSessions(home: string, days: number, now = Date.now()): string[] {
  const old = filesByAge(home).filter(({ updated }) => now - updated > days * 86_400_000);
  return old.flatMap(({ id }) => {
    try {
      return [removeSession(home, id)];
    } catch {
      return [];
    }
  });
}

function fileOf(home: string, id: string): string {
  return join(home, 'sessions', `${id}.jsonl`);
}

function filesByAge(home: string): { id: string; updated: number }[] {
  const folder = join(home, 'sessions');
  return namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ id: name.slice(0, -6), updated: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function summarize(home: string, id: string, updated: number): SessionSummary {
  let root = '';
  let from: string | undefined;
  for (const item of readLog(fileOf(home, id))) {
    if (item.type !== 'record') continue;
    if (item.value.type === 'session') {
      root = String(item.value.root);
      from = item.value.from as string | undefined;
    }
    if (item.value.role !== 'user') continue;
    if (root === '' && typeof item.value.root === 'string') root = item.value.root;
    const title = String(item.value.text).replaceAll(/\s+/g, ' ').trim().slice(0, 80);
    return { id, root, updated: Math.floor(updated), title, ...(from === undefined ? {} : { forkedFrom: from }) };
  }
  return { id, root, updated: Math.floor(updated), title: '' };
}
