import { compileGlob } from '../../base/glob.ts';
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
  const { paths } = await findFiles(workspace, {
    glob: compileGlob('**/*'),
    ignoreFiles: ['.gitignore', '.benchdogignore'],
    includeIgnored: false,
    skip: (name) => name === '.git' || name === 'node_modules',
    limit: most,
    signal: AbortSignal.timeout(patienceMs),
  });
  return paths.map(({ given }) => given);
}
