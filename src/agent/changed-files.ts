import { asToolError } from '../base/error.ts';
import type { ChangeSummary } from '../change/change.ts';
import { absent, type ShownDiffs } from '../tool/shown.ts';
import { type FilePath, resolvePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChangedFile } from './receipt.ts';
import { isEvent, isResult, type Session, type SessionRecord } from './record.ts';
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
  /** Which states a diff showed in full; undefined when diffs are not checked. */
  readonly shown?: ShownDiffs | undefined;
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
    const state = before === absent ? 'created' : now === absent ? 'deleted' : 'modified';
    const digest = now === absent || now === 'unreadable' ? {} : { digest: now };
    files.push({ path, state, ...digest, diff: seen(sources, path, now) });
  }
  return files;
}

function seen({ shown, workspace }: ChangeSources, path: string, now: Content): ChangedFile['diff'] {
  if (shown === undefined) return 'unchecked';
  if (now === 'unreadable') return 'exempt';
  return shown.has(pathOf(workspace, path), now) ? 'seen' : 'unseen';
}

/** What every touched path held before its first change of the turn; `unknown` when no journal tells. */
function statesBefore({ session, journal }: ChangeSources): Map<string, Content> {
  const before = new Map<string, Content>();
  const note = (path: string, content: Content) => {
    if (!before.has(path)) before.set(path, content);
  };
  for (const { callId, changes: told = [] } of turnRecords(session.records).filter(mayChange)) {
    const commits = journal?.byCall(callId).filter(({ origin }) => origin.session === session.id) ?? [];
    for (const change of commits.length > 0 ? commits.flatMap(({ changes }) => changes) : told) {
      const digest = 'before' in change ? (change.before as Digested | undefined)?.digest : undefined;
      note(change.path, change.type === 'create' ? absent : (digest ?? 'unknown'));
      if (change.to !== undefined) note(change.to, absent);
    }
  }
  return before;
}

function mayChange(record: SessionRecord) {
  return isResult(record) || isEvent(record, 'nested');
}

async function contentOf(workspace: Workspace, path: string): Promise<Content> {
  try {
    return (await workspace.read(pathOf(workspace, path))).digest;
  } catch (error) {
    const { code } = asToolError(error);
    if (code === 'missing') return absent;
    if (code === 'denied' || code === 'conflict') return 'unreadable';
    throw error;
  }
}

/** Changes name files relative to the root in every dialect. */
function pathOf(workspace: Workspace, path: string): FilePath {
  return resolvePath(workspace.root, path, 'relative');
}
