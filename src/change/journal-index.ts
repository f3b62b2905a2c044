import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../base/log.ts';
import { removeTree } from '../base/remove-tree.ts';
import type { BlobStore } from './blobs.ts';
import type { Entry, Outcome } from './journal.ts';

/** The journal's entries in memory, read on from where the log was last read. */
export interface Index {
  /** Entries with this outcome, oldest first. */
  with(outcome: Outcome): readonly Entry[];
  /** Drops the oldest entries beyond the limits, and the contents that no entry left refers to. */
  trim(): void;
  /** The size of a kept content, as its entries say. */
  sizeOf(digest: string): number | undefined;
  /** What could not be read of the log. */
  damages(): readonly string[];
}

export interface Limits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

interface Known {
  readonly entry: Entry;
  outcome: Outcome;
}

/** What was read of the log so far. `uses` counts the entries that need a content, `bytes` is the size of all of them. */
interface Contents {
  readonly damages: string[];
  readonly known: Map<string, Known>;
  readonly uses: Map<string, number>;
  readonly sizes: Map<string, number>;
  bytes: number;
  ino: bigint;
  end: number;
}

export function createIndex(log: Log, blobs: BlobStore, limits: Limits): Index {
  let contents = nothing(0n);

  const refresh = () => {
    const stats = statSync(log.path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.ino !== contents.ino || Number(stats.size) < contents.end) contents = nothing(stats.ino);
    if (Number(stats.size) === contents.end) return;
    for (const item of log.read(contents.end)) {
      if (item.type === 'record') learn(contents, item.value);
      else contents.damages.push(item.text);
      contents.end = item.end;
    }
  };

  return {
    with: (outcome) => {
      refresh();
      return [...contents.known.values()].filter((one) => one.outcome === outcome).map((one) => one.entry);
    },
    damages: () => {
      refresh();
      return contents.damages;
    },
    sizeOf: (digest) => {
      refresh();
      return contents.sizes.get(digest);
    },
    trim: () => {
      refresh();
      const excess = oldestBeyond(limits, contents);
      if (excess.size === 0) return;
      const excessFolders = keepFolders([...excess].map((id) => contents.known.get(id)!.entry));
      const keep = (record: Readonly<Record<string, unknown>>) => !excess.has(record.id as string);
      // Under the log's lock no entry can begin, so what no entry names now is needed by nobody.
      log.rewrite(keep, () => {
        refresh();
        blobs.retain(new Set(contents.uses.keys()));
      });
      for (const folder of excessFolders) removeTree(folder);
    },
  };
}

/** Trims the journal now and then: looking at it costs a small commit as much as half of its writing. */
export function createTrimmer(index: Pick<Index, 'trim'>, { maxBytes, maxEntries }: Limits) {
  // What other processes left is unknown: the first commit looks.
  let bytes = maxBytes;
  let entries = 0;
  return {
    grew: (entry: Entry): void => {
      entries += 1;
      for (const size of keptBy(entry).values()) bytes += size;
    },
    trim: (): void => {
      if (bytes < maxBytes / 32 && entries < maxEntries / 32) return;
      bytes = 0;
      entries = 0;
      index.trim();
    },
  };
}

function nothing(ino: bigint): Contents {
  return { damages: [], known: new Map(), uses: new Map(), sizes: new Map(), bytes: 0, ino, end: 0 };
}

function learn(contents: Contents, record: Readonly<Record<string, unknown>>): void {
  if (record.type === 'begin' && isEntry(record)) {
    const entry = record;
    contents.known.set(entry.id, { entry, outcome: 'open' });
    for (const [digest, size] of keptBy(entry)) {
      const count = contents.uses.get(digest) ?? 0;
      contents.uses.set(digest, count + 1);
      contents.sizes.set(digest, size);
      if (count === 0) contents.bytes += size;
    }
  }
  if (record.type === 'end') {
    const one = contents.known.get(record.id as string);
    if (one !== undefined) one.outcome = record.outcome as Outcome;
  }
}

function isEntry(record: object): record is Entry {
  const { id, origin, changes, operations, folders, owner } = record as Partial<Entry>;
  const lists = Array.isArray(changes) && Array.isArray(operations) && Array.isArray(folders);
  return typeof id === 'string' && lists && typeof origin === 'object' && typeof owner === 'object';
}

/**
 * Ids to drop: ended ones only, oldest first, never the newest. Once over a limit it goes down to nine tenths of it, so
 * that the log is not written anew for each commit.
 */
function oldestBeyond(limits: Limits, contents: Contents): Set<string> {
  const excess = new Set<string>();
  let { bytes } = contents;
  if (bytes <= limits.maxBytes && contents.known.size <= limits.maxEntries) return excess;
  const uses = new Map(contents.uses);
  for (const { entry, outcome } of [...contents.known.values()].slice(0, -1)) {
    if (bytes <= limits.maxBytes * 0.9 && contents.known.size - excess.size <= limits.maxEntries * 0.9) break;
    if (outcome === 'open') continue;
    excess.add(entry.id);
    for (const [digest, size] of keptBy(entry)) {
      const count = uses.get(digest)! - 1;
      uses.set(digest, count);
      if (count === 0) bytes -= size;
    }
  }
  return excess;
}

/** The folders that hold nothing but what these entries set aside. */
function keepFolders(entries: readonly Entry[]): Set<string> {
  const keeps = entries.flatMap(({ operations }) =>
    operations.flatMap((one) => (one.type === 'swap' ? [dirname(one.keep)] : [])),
  );
  return new Set(keeps);
}

/**
 * The contents an entry needs kept, with their sizes: what was there before, to undo it, and what is written in place,
 * to finish it. A new content of its own file needs no second copy.
 */
export function keptBy(entry: Pick<Entry, 'changes' | 'operations'>): Map<string, number> {
  const kept = new Map<string, number>();
  const swaps = entry.operations.filter((one) => one.type === 'swap');
  for (const { keep, bytes } of swaps) kept.set(keep, bytes);
  if (swaps.length > 0) return kept;
  for (const { before, after } of entry.changes) {
    if (before !== undefined && before.digest !== after?.digest) kept.set(before.digest, before.size);
  }
  for (const operation of entry.operations) {
    if (operation.type === 'rewrite' && operation.before.digest !== operation.after.digest)
      kept.set(operation.after.digest, operation.after.size);
  }
  return kept;
}
