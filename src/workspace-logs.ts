import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Root } from './workspace/path.ts';

/** The audit log of a workspace; one file, whatever the session. */
export function auditFile(home: string, root: Root): string {
  return workspaceLog(home, 'audit', root);
}

/** What a person allowed for good in a workspace; one file, whatever the session. */
export function grantsFile(home: string, root: Root): string {
  return workspaceLog(home, 'grants', root);
}

/** Where the log of a kind is kept for a workspace. */
export function workspaceLog(home: string, kind: string, root: Root): string {
  return join(home, kind, `${createHash('sha256').update(root.real).digest('hex').slice(0, 32)}.jsonl`);
}
