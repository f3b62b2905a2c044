import type { Change } from './change.ts';

type Creation = Extract<Change, { type: 'create' }>;

/**
 * A deleted and a created file with the same content become one rename: an overlay can't tell that a file was renamed, and
 * `mv` of a folder copies there. Of several with one content, those with the same name belong together first.
 */
export function pairRenames(changes: readonly Change[]): Change[] {
  const created = new Map<string, Creation[]>();
  for (const change of changes) {
    if (change.type !== 'create' || !pairs(change.after)) continue;
    created.set(change.after.digest, [...(created.get(change.after.digest) ?? []), change]);
  }
  const renamed = new Map<Change, Change>();
  for (const change of changes) {
    if (change.type !== 'delete' || !pairs(change.before)) continue;
    const candidates = created.get(change.before.digest) ?? [];
    const match = candidates.find((one) => nameOf(one) === nameOf(change)) ?? candidates[0];
    if (match === undefined || match.after.kind !== change.before.kind) continue;
    created.set(
      change.before.digest,
      candidates.filter((one) => one !== match),
    );
    const { path, before } = change;
    renamed.set(change, { type: 'rename', path, to: match.path, before, after: match.after });
    renamed.set(match, change);
  }
  // The creation that became part of a rename stands for nothing any more.
  return changes.flatMap((change) => {
    const into = renamed.get(change);
    return into === undefined ? [change] : into.type === 'rename' ? [into] : [];
  });
}

/** Empty files are all alike. */
function pairs({ kind, bytes }: Creation['after']): boolean {
  return kind !== 'summary' && bytes.length > 0;
}

function nameOf({ path }: Change): string {
  return path.rel.slice(path.rel.lastIndexOf('/') + 1);
}
