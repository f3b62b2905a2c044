import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../base/remove-tree.ts';
import { capture } from './capture.ts';
import { childEnvironment } from './environment.ts';
import { openView, type View } from './view.ts';
import { type Namespaces, namespaceWays } from './view-namespaces.ts';
import { viewPlace } from './view-place.ts';

/** Opens views of one workspace. */
export interface Views {
  /** Where they lie, and the old contents that undo needs. */
  readonly folder: string;
  open(): View;
}

/** Why there are none. */
export interface NoViews {
  readonly reason: string;
}

/** Finds out, once a process, whether views of the workspace `root` (a real path) can be made; `home` is our state folder. */
export async function findViews(root: string, home: string): Promise<Views | NoViews> {
  if (process.platform !== 'linux') return { reason: 'only Linux has overlays' };
  const place = viewPlace(root, home);
  if ('reason' in place) return place;
  const namespaces = await namespacesIn(place.folder);
  if ('reason' in namespaces) return namespaces;
  return { folder: place.folder, open: () => openView(place.folder, root, namespaces) };
}

const probes = new Map<string, Promise<Namespaces | NoViews>>();

function namespacesIn(folder: string): Promise<Namespaces | NoViews> {
  const known = probes.get(folder) ?? probe(folder);
  probes.set(folder, known);
  return known;
}

async function probe(folder: string): Promise<Namespaces | NoViews> {
  const ways = namespaceWays();
  if (ways.length === 0) return { reason: 'unshare or mount (of util-linux) is not installed' };
  const problems: string[] = [];
  for (const way of ways) {
    const problem = await problemOf(folder, way);
    if (problem === undefined) return way;
    problems.push(problem);
  }
  return { reason: `the kernel allows no overlay here (${problems[0]})` };
}

/** A real view of a small folder: a file is deleted and one written, and the record of it must be as we read it later. */
async function problemOf(place: string, way: Namespaces): Promise<string | undefined> {
  const folder = mkdtempSync(join(place, 'probe-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    writeFileSync(join(root, 'old'), 'old');
    const view = openView(folder, root, way);
    const change = { file: '/bin/sh', args: ['-c', 'rm old && echo new > new'] };
    const { file, args } = view.wrap(change, { sandboxed: false });
    const { code, stderr } = await capture({ file, args, cwd: '/', env: childEnvironment(), timeoutMs: 5000 });
    if (code !== 0) return stderr.trim() || `exit code ${code}`;
    const [real, changed] = [readdirSync(root), readdirSync(view.upper).sort()];
    return real.join() === 'old' && changed.join() === 'new,old' ? undefined : 'it does not keep changes apart';
  } catch (error) {
    return (error as Error).message;
  } finally {
    removeTree(folder);
  }
}
