import { createHash, randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '../base/log.ts';
import { makeOwnFolder } from '../base/own-folder.ts';
import { type ProcessMark, thisProcess } from '../base/process-mark.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { Root } from '../workspace/path.ts';
import { type BlobStore, openBlobs } from './blobs.ts';
import type { ChangeSummary } from './change.ts';
import { createIndex, createTrimmer } from './journal-index.ts';
import type { Operation } from './operation.ts';

/** Which entries a commit puts back, or does again. */
export interface Reverts {
  readonly entries: readonly string[];
  readonly as: 'undo' | 'redo';
}

/** Who asked for a commit; kept in the journal. */
export interface Origin {
  readonly callId: string;
  readonly session: string;
  readonly tool: string;
  readonly reverts?: Reverts;
}

/** What the journal knows of a file's state; the bytes, if kept, are found under `digest`. */
export interface Mark {
  readonly kind: FileState['kind'];
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
}

/** One change as the journal keeps it: no content, so that it can be shown of denied files too. */
export interface JournaledChange extends ChangeSummary {
  readonly before?: Mark;
  readonly after?: Mark;
}

/** One commit. Paths are real ones, relative to the root, with `/`. */
export interface Entry {
  /** Ten hex digits; any unique beginning will do where a person names one. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly origin: Origin;
  readonly changes: readonly JournaledChange[];
  /** The folders that had to be made, outermost first. */
  readonly folders: readonly string[];
  readonly operations: readonly Operation[];
  /** The process that carries it out. */
  readonly owner: ProcessMark;
}

/** How an entry ended; `open` while it is carried out, or when that was cut short. */
export type Outcome = 'open' | 'done' | 'undone';

export interface Journal {
  /** The folder it lives in. */
  readonly folder: string;
  /** Where locks on workspace files live; shared by all workspaces of a home. */
  readonly locks: string;
  readonly root: Root;
  /** What recovery found and did when the journal was opened; sentences for a person. */
  readonly notices: readonly string[];
  /** The commits that happened, oldest first. */
  entries(): readonly Entry[];
  /** The commits of one call, oldest first. */
  byCall(callId: string): readonly Entry[];
  /** Entries that were begun and have no end yet. */
  unfinished(): readonly Entry[];
  /** The bytes with this digest, or undefined when they were dropped or are damaged. */
  content(digest: string): Promise<Buffer | undefined>;
  /** For `commit` only: notes an entry before anything is touched. Durable after `flush`. */
  begin(entry: Entry): void;
  /** For `commit` only: keeps contents under their digests. Durable after `settle`. */
  keep(contents: ReadonlyMap<string, Buffer>, onStep: (step: string) => void): Promise<void>;
  /** For `commit` and recovery only: whether a content is kept, whether a file can be kept as it is, and keeping it so. */
  holds(mark: Mark): boolean;
  adopts(file: Pick<BigIntStats, 'dev' | 'uid' | 'nlink'>): boolean;
  adopt(digest: string, move: (place: string) => void): void;
  settle(): Promise<void>;
  /** Resolves when every entry begun or ended so far is on the disk. */
  flush(): Promise<void>;
  /** For `commit` and recovery only: notes how an entry ended, then drops the oldest entries beyond the size limit. */
  end(id: string, outcome: 'done' | 'undone'): void;
  /** Gives its file handle back; the next use opens it again. */
  close(): void;
}

export interface JournalOptions {
  /** The state folder of the program; the journal makes its own folders below. Outside every workspace. */
  readonly home: string;
  readonly root: Root;
  /** Kept contents beyond this are dropped, oldest entry first; the newest entry always stays. Default 256 MB. */
  readonly maxBytes?: number;
  /** Default 5,000. */
  readonly maxEntries?: number;
}

export function newEntry(facts: Omit<Entry, 'id' | 'time' | 'owner' | 'operations'>): Omit<Entry, 'operations'> {
  return {
    id: randomUUID().replace('-', '').slice(0, 10),
    time: new Date().toISOString(),
    owner: thisProcess(),
    ...facts,
  };
}

/** The journal without recovery; programs call `openJournal` of recover.ts. */
export function openJournalFiles(options: JournalOptions, notices: string[] = []): Journal {
  const { root, maxBytes = 256 * 1024 * 1024, maxEntries = 5000 } = options;
  const base = join(options.home, 'journal');
  const folder = join(base, createHash('sha256').update(root.real).digest('hex').slice(0, 32));
  makeOwnFolder(join(folder, 'blobs'));
  const log = openLog(join(folder, 'entries.jsonl'));
  const blobs: BlobStore = openBlobs(join(folder, 'blobs'));
  const index = createIndex(log, blobs, { maxBytes, maxEntries });
  const trimmer = createTrimmer(index, { maxBytes, maxEntries });
  notices.push(...index.damages().map((text) => `The journal is damaged in places: ${text}.`));
  return {
    folder,
    locks: join(base, 'locks'),
    root,
    notices,
    entries: () => index.with('done'),
    byCall: (callId) => index.with('done').filter((entry) => entry.origin.callId === callId),
    unfinished: () => index.with('open'),
    content: (digest) => blobs.get(digest, index.sizeOf(digest)),
    begin: (entry) => {
      trimmer.grew(entry);
      log.append({ type: 'begin', root: root.real, ...entry });
    },
    keep: (contents, onStep) => blobs.put(contents, onStep),
    holds: ({ digest, size }) => blobs.has(digest, size),
    adopts: blobs.adopts,
    adopt: blobs.adopt,
    settle: () => blobs.sync(),
    flush: () => log.flush(),
    end: (id, outcome) => {
      log.append({ type: 'end', id, outcome });
      trimmer.trim();
    },
    close: () => log.close(),
  };
}
