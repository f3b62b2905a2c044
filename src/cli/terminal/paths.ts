import { compileGlob } from '../../base/glob.ts';
import { joinSignals } from '../../base/join-signals.ts';
import { findFiles } from '../../workspace/list-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const most = 50_000;
/** Milliseconds for which a listing is taken for fresh. */
const freshMs = 5000;
const patienceMs = 3000;

/** The files of the workspace that git does not ignore and rules do not hide, for completing; looked up when asked. */
export function workspacePaths(workspace: Workspace): () => Promise<readonly string[]> {
  let listing: Promise<readonly string[]> | undefined;
  let at = 0;
  return () => {
    if (listing === undefined || Date.now() - at > freshMs) {
      at = Date.now();
      listing = list(workspace).catch(() => []);
    }
    return listing;
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
  return paths.map(({ given }) => given);
}
