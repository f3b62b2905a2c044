import { readFileSync } from 'node:fs';
import { sizeText } from '../base/size.ts';
import { plural } from '../base/text.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Change } from './change.ts';
import type { Swap } from './swap.ts';
import type { PlacedEntry, SwappedFile } from './swap-files.ts';
import { summary } from './swap-states.ts';

/** One change that stands for all files of a tree: how many came, went and changed, with their bytes; of git, the refs too. */
export function summarizeTree(path: FilePath, files: readonly SwappedFile[], swaps: readonly Swap[]): Change {
  const text = `${countsOf(files)}\n${files.filter(isRef).map(refLine).join('')}`;
  const after = summary(text, 0o755);
  const whole = swaps.find((swap) => swap.path === path.rel);
  if (whole !== undefined && whole.before === undefined) return { type: 'create', path, after };
  if (whole !== undefined && whole.after === undefined) return { type: 'delete', path, before: after };
  return { type: 'modify', path, before: summary('', 0o755), after };
}

function countsOf(files: readonly SwappedFile[]): string {
  const added = files.filter((file) => file.before === undefined);
  const removed = files.filter((file) => file.after === undefined);
  const changed = files.length - added.length - removed.length;
  const parts = [
    ...(added.length > 0 ? [`${plural(added.length, 'file')} added (${sizeText(sum(added, 'after'))})`] : []),
    ...(changed > 0 ? [`${plural(changed, 'file')} changed`] : []),
    ...(removed.length > 0 ? [`${plural(removed.length, 'file')} deleted (${sizeText(sum(removed, 'before'))})`] : []),
  ];
  return parts.join(', ');
}

function sum(files: readonly SwappedFile[], side: 'before' | 'after'): number {
  return files.reduce((total, file) => total + (file[side]?.entry.size ?? 0), 0);
}

/** The files of `.git` that say where branches, tags and HEAD are; gitrepository-layout(5). */
function isRef({ path }: SwappedFile): boolean {
  return /(?:^|\/)\.git\/(?:HEAD|refs\/.+|packed-refs)$/.test(path);
}

function refLine({ path, before, after }: SwappedFile): string {
  const name = path.slice(path.lastIndexOf('.git/') + 5);
  if (name === 'packed-refs') return 'packed-refs rewritten\n';
  return `${name}: ${refValue(before)} -> ${refValue(after)}\n`;
}

function refValue(placed: PlacedEntry | undefined): string {
  if (placed === undefined) return 'none';
  if (placed.entry.kind !== 'file' || placed.entry.size > 1000) return 'unknown';
  const text = readFileSync(placed.place, 'utf8').trim();
  return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 10) : text.replace(/^ref: /, '');
}
