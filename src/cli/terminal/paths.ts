import { compileGlob } from '../../base/glob.ts';
import { joinSignals } from '../../base/join-signals.ts';
import { findFiles } from '../../workspace/list-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const most = 200_000;
/** Milliseconds for which a listing is taken for fresh. */
const freshMs = 5000;
const patienceMs = 20_000;

/**
 * The files of the workspace that git does not ignore and rules do not hide, for completing. They are listed when first
 * asked for; a list that has become old is given once more while a new one is made.
 */
export function workspacePaths(workspace: Workspace): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | undefined;
  let isListing = false;
  let at = Number.NEGATIVE_INFINITY;
  const renew = async () => {
    isListing = true;
    const paths = await list(workspace).catch(() => undefined);
    isListing = false;
    at = Date.now();
    return paths;
  };
  return async () => {
    if (known === undefined) known = renew().then((paths) => paths ?? []);
    else if (!isListing && Date.now() - at > freshMs) {
      void renew().then((paths) => {
        if (paths !== undefined) known = Promise.resolve(paths);
      });
    }
    return known;
  };
}

async function list(workspace: Workspace): Promise<readonly string[]> {
  const limit = joinSignals([], patienceMs);
  const { paths } = await findFiles(workspace, {
    glob: compileGlob('**/*'),
    ignoreFiles: ['.gitignore', '.benchdogignore'],
    includeIgnored: false,
    skip: (name) => name === '.git' || name === 'node_modules',
    limit: most,
    signal: limit.signal,
  }).finally(limit.release);
  // The input would take what stands behind a line end for a line of its own.
  return paths.map(({ given }) => given).filter((path) => !/[\r\n]/.test(path));
}
