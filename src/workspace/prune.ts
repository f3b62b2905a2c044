import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IgnoreJudge, judgeEntries } from './ignore.ts';

/** Looking further would cost more than the engine loses in folders that turn out to be ignored. */
const mostFolders = 100;
const deepest = 3;

/**
 * Ignored folders near the top, for the engine to stay out of. Not all of them: what is found in others is dropped
 * later. Paths relative to the root.
 *
 * @param closed folders not to be looked into
 */
export async function ignoredFolders(
  root: string,
  judge: IgnoreJudge,
  base: string,
  skip: readonly string[],
  closed: readonly string[] = [],
): Promise<string[]> {
  const ignored: string[] = [];
  const pending = [{ rel: base, depth: 1 }];
  for (let looked = 0; looked < mostFolders; looked += 1) {
    const at = pending.shift();
    if (at === undefined) break;
    const names = foldersIn(join(root, at.rel)).filter((name) => name !== '.git' && !skip.includes(name));
    const scope = names.length === 0 ? undefined : await judge.scopeOf(at.rel);
    if (scope === undefined) continue;
    const verdicts = await judgeEntries(
      scope,
      names.map((name) => ({ name, directory: true })),
    );
    for (const [index, name] of names.entries()) {
      const rel = at.rel === '.' ? name : `${at.rel}/${name}`;
      if (closed.includes(rel)) continue;
      if (verdicts[index] === 'ignored') ignored.push(rel);
      else if (at.depth < deepest) pending.push({ rel, depth: at.depth + 1 });
    }
  }
  return ignored;
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
