import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../base/remove-tree.ts';
import { childEnvironment } from './environment.ts';
import { mountBelow, mountTable } from './mount-table.ts';
import { run } from './run.ts';
import { openView } from './view.ts';
import { viewName } from './view-name.ts';
import { type Namespaces, namespaceWays } from './view-namespaces.ts';
import { pointAt, viewPlace } from './view-place.ts';
import { keepSpare, type Spares } from './view-spare.ts';

/** Opens views of one workspace. */
export interface Views extends Spares {
  /** Where they lie, and the old contents that undo needs. */
  readonly folder: string;
  /** Why there can't be one as things stand; undefined when there can. */
  problem(): string | undefined;
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
  pointAt(place.folder, root);
  const spares = keepSpare(root, (options) => openView(place.folder, root, namespaces, options));
  return { folder: place.folder, problem: () => mountProblem(root), ...spares };
}

/** A view would show what lies underneath. */
function mountProblem(root: string): string | undefined {
  const inner = mountBelow(root, mountTable());
  return inner === undefined ? undefined : `another file system is mounted inside the workspace, at ${inner}`;
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
  const folder = join(place, viewName());
  try {
    mkdirSync(folder, { mode: 0o700 });
    const root = join(folder, 'root');
    mkdirSync(root);
    pointAt(folder, root);
    writeFileSync(join(root, 'old'), 'old');
    const env = childEnvironment();
    const view = openView(folder, root, way, { sandboxed: false, env });
    const change = view.enter({ file: '/bin/sh', args: ['-c', 'rm old && echo new > new'] });
    const { ending, stderr } = await run({ ...change, cwd: '/', env, timeoutMs: 5000 });
    if (ending.type !== 'exit' || ending.code !== 0) return stderr.head.trim() || `it ended by ${ending.type}`;
    const [real, changed] = [readdirSync(root), readdirSync(view.upper).sort()];
    return real.join() === 'old' && changed.join() === 'new,old' ? undefined : 'it does not keep changes apart';
  } catch (error) {
    return (error as Error).message;
  } finally {
    removeTree(folder);
  }
}
