import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sameContent } from './same-content.ts';
import type { Swap } from './swap.ts';
import { readTree } from './tree.ts';

/** A view after its command has ended. */
export interface EndedView {
  /** The workspace, a real path. */
  readonly root: string;
  /** What differs from it, as overlayfs records it. */
  readonly upper: string;
  /** When the command began, in ns of the file system's own clock. */
  readonly begunAt: bigint;
  /** Which of these relative paths could be seen in the view. */
  visible(paths: readonly string[]): Promise<readonly boolean[]>;
}

export interface OverlayReading {
  readonly swaps: readonly Swap[];
  /** Paths that somebody else changed while the command ran, and that it changed too. */
  readonly overtaken: readonly string[];
  /** What the swaps don't hold, in sentences. */
  readonly notes: readonly string[];
}

/**
 * What a command did in a view, as the largest pieces that can be moved whole. A character device 0/0 is a name that was
 * deleted (Documentation/filesystems/overlayfs.rst of Linux). A folder that is in both layers is looked into, unless it
 * hides the one below: then it is a piece.
 */
export async function readOverlay(view: EndedView): Promise<OverlayReading> {
  const hiding = await hidingFolders(view);
  const reading = { swaps: [] as Swap[], overtaken: [] as string[], notes: [] as string[] };
  collect(view, '', hiding, reading);
  return reading;
}

interface Growing {
  readonly swaps: Swap[];
  readonly overtaken: string[];
  readonly notes: string[];
}

function collect(view: EndedView, folder: string, hiding: ReadonlySet<string>, found: Growing): void {
  for (const name of readdirSync(join(view.upper, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const upper = look(join(view.upper, path));
    const lower = look(join(view.root, path));
    if (upper === undefined) {
      found.notes.push(`${folder === '' ? '.' : folder} holds a name that is no UTF-8; it was left out.`);
      continue;
    }
    if (upper.isDirectory() && lower?.isDirectory() === true && !hiding.has(path)) {
      if (upper.mode !== lower.mode) found.notes.push(`The new mode of the folder ${path} was left out.`);
      if (!isSameOwner(upper, lower)) found.notes.push(`The new owner of the folder ${path} was left out.`);
      collect(view, path, hiding, found);
    } else if (isWhiteout(upper) ? lower !== undefined : isCarried(upper, path, found)) {
      take(view, path, upper, lower, found);
    }
  }
}

function take(view: EndedView, path: string, upper: BigIntStats, lower: BigIntStats | undefined, found: Growing): void {
  const from = join(view.upper, path);
  if (lower !== undefined && isUntouched(lower, upper) && sameContent(join(view.root, path), from)) return;
  const before = lower === undefined ? undefined : readTree(join(view.root, path));
  const after = isWhiteout(upper) ? undefined : readTree(from);
  if (before !== undefined && before.changedAt >= view.begunAt) found.overtaken.push(path);
  if (lower?.isFile() && lower.nlink > 1n && after !== undefined) found.notes.push(splits(path, lower));
  found.swaps.push({
    path,
    ...(after === undefined ? {} : { from, after }),
    ...(before === undefined ? {} : { before }),
  });
}

function splits(path: string, { nlink }: BigIntStats): string {
  const others = nlink === 2n ? 'another name' : `${nlink - 1n} other names`;
  return `${path} had ${others} (a hard link), which did not follow: it is a file of its own now.`;
}

/**
 * Perhaps opened for writing and not changed: the copy keeps the file's time. But a file of the same size that was put in its
 * place may have the same time as well, which archives give. A copy with a second name is a hard link that was made.
 */
function isUntouched(before: BigIntStats, now: BigIntStats): boolean {
  if (!before.isFile() || !now.isFile() || now.nlink > 1n) return false;
  const same = before.size === now.size && before.mtimeNs === now.mtimeNs && before.mode === now.mode;
  return same && isSameOwner(before, now);
}

function isSameOwner(one: BigIntStats, other: BigIntStats): boolean {
  return one.uid === other.uid && one.gid === other.gid;
}

function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

function isCarried(stats: BigIntStats, path: string, { notes }: Growing): boolean {
  if (stats.isFile() || stats.isSymbolicLink() || stats.isDirectory()) return true;
  notes.push(`${path} is a socket, pipe or device; it was left out.`);
  return false;
}

/**
 * The folders of the view that hide the one below. The kernel knows: where something of the folder below, that the view
 * neither replaced nor deleted by name, can't be seen. Where nothing is left to look for, it makes no difference.
 */
async function hidingFolders(view: EndedView): Promise<ReadonlySet<string>> {
  const witnesses = new Map<string, string>();
  findWitnesses(view, '', witnesses);
  if (witnesses.size === 0) return new Set();
  const seen = await view.visible([...witnesses.values()]);
  return new Set([...witnesses.keys()].filter((_, at) => !seen[at]));
}

function findWitnesses(view: EndedView, folder: string, found: Map<string, string>): void {
  for (const { name } of readdirSync(join(view.upper, folder), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  )) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (look(join(view.root, path))?.isDirectory() !== true) continue;
    const above = new Set(readdirSync(join(view.upper, path)));
    const witness = readdirSync(join(view.root, path)).find((one) => !above.has(one) && !one.includes('\ufffd'));
    if (witness !== undefined) found.set(path, `${path}/${witness}`);
    findWitnesses(view, path, found);
  }
}

function look(place: string): BigIntStats | undefined {
  return lstatSync(place, { bigint: true, throwIfNoEntry: false });
}
