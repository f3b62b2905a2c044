import { asToolError } from '../base/error.ts';
import type { ChangeSummary } from '../change/change.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChangedFile } from './receipt.ts';
import { isResult, type Session } from './record.ts';
import { turnRecords } from './turn-records.ts';

/** What the journal knows of a commit; as much of `Journal` as the agent needs. */
export interface JournalView {
  byCall(callId: string): readonly JournaledCommit[];
}

export interface JournaledCommit {
  readonly origin: { readonly session: string };
  readonly changes: readonly (ChangeSummary & { readonly before?: Digested; readonly after?: Digested })[];
}

interface Digested {
  readonly digest: string;
}

export interface ChangeSources {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly journal?: JournalView | undefined;
  /** The digest of the state whose change a diff showed in full, by path relative to the root; `absent` for a deletion. */
  readonly shown?: ((path: string) => string | undefined) | undefined;
}

/** A file's content by digest; `absent` when there is none, `unreadable` when it may not be read or is no regular file. */
type Content = string;

/**
 * The files that differ from how this turn found them, with their digests and whether a diff of that state was looked at.
 * A change that was put back is none.
 */
export async function changedFiles(sources: ChangeSources): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const [path, before] of statesBefore(sources)) {
    const now = await contentOf(sources.workspace, path);
    if (now === before) continue;
    const state = before === 'absent' ? 'created' : now === 'absent' ? 'deleted' : 'modified';
    const digest = now === 'absent' || now === 'unreadable' ? {} : { digest: now };
    files.push({ path, state, ...digest, diff: seen(sources, path, now) });
  }
  return files;
}

function seen({ shown }: ChangeSources, path: string, now: Content): ChangedFile['diff'] {
  if (shown === undefined) return 'unchecked';
  if (now === 'unreadable') return 'exempt';
  return shown(path) === now ? 'seen' : 'unseen';
}

/** What every touched path held before its first change of the turn; `unknown` when no journal tells. */
function statesBefore({ session, journal }: ChangeSources): Map<string, Content> {
  const before = new Map<string, Content>();
  const note = (path: string, content: Content) => {
    if (!before.has(path)) before.set(path, content);
  };
  for (const record of turnRecords(session.records).filter(isResult)) {
    const commits = journal?.byCall(record.callId).filter(({ origin }) => origin.session === session.id) ?? [];
    const changes = commits.length > 0 ? commits.flatMap((commit) => commit.changes) : (record.changes ?? []);
    for (const change of changes) {
      const digest = 'before' in change ? (change.before as Digested | undefined)?.digest : undefined;
      note(change.path, change.type === 'create' ? 'absent' : (digest ?? 'unknown'));
      if (change.to !== undefined) note(change.to, 'absent');
    }
  }
  return before;
}

async function contentOf(workspace: Workspace, path: string): Promise<Content> {
  try {
    return (await workspace.read(workspace.resolve(path))).digest;
  } catch (error) {
    const { code } = asToolError(error);
    if (code === 'missing') return 'absent';
    if (code === 'denied' || code === 'conflict') return 'unreadable';
    throw error;
  }
}
