import type { Effect } from '../tool/tool.ts';
import { isGitPath } from '../workspace/git-dir.ts';
import type { Root } from '../workspace/path.ts';
import type { Verdict } from './verdict.ts';

const by = 'built-in: git metadata';
const reason = "what lies in .git is git's own, and no file tool may change it. Use git itself";

/** Git's own files are git's to write; no rule, plugin setting or approval lifts this. */
export function gitMetadataVerdict(root: Root, effects: readonly Effect[]): Verdict | undefined {
  const hit = effects.find(
    (effect) => (effect.kind === 'write' || effect.kind === 'delete') && isGitPath(root, effect.path),
  );
  if (hit === undefined || !('path' in hit)) return undefined;
  const { kind, path } = hit;
  return { decision: 'deny', by, reason, effects: [{ kind, subject: path.given, decision: 'deny', by, reason }] };
}
