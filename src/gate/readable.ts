import type { FilePath, Root } from '../workspace/path.ts';
import { nameFace, pathFaces } from './deed.ts';
import { secretRow } from './defaults.ts';
import type { JudgeContext } from './judge.ts';
import { isOwn } from './own-files.ts';
import { type Face, isCatchAll, lastMatch } from './rule.ts';

/** False for a file whose reading is denied, by its real or its given name. */
export function readable(context: JudgeContext, path: FilePath): boolean {
  if (isOwn(context.own, path.abs)) return false;
  return isReadable(context, pathFaces(path));
}

/** A path that need not be there, by its name alone. */
export function namedFace({ real }: Root, path: string): Face {
  return path.startsWith(`${real}/`) ? nameFace(path.slice(real.length + 1), path) : nameFace(path);
}

export function isReadable(context: JudgeContext, faces: readonly Face[]): boolean {
  return faces.every((face) => {
    if (secretRow(context.secrets, face) !== undefined) return false;
    return ['read_file', 'read'].every((tool) =>
      [context.trusted, context.untrusted].every(
        (tables) => lastMatch(tables.own(tool), face, context.foldsCase)?.decision !== 'deny',
      ),
    );
  });
}

/** What a tool shows of a file without having named it. A row for everything is asked of the call itself. */
export function searchable(context: JudgeContext, path: FilePath): boolean {
  const open = context.approve === 'all' || context.approve === 'edits';
  return pathFaces(path).every((face) =>
    showing.every((tool) =>
      [context.trusted, context.untrusted].every((tables) => {
        const row = lastMatch(tables.own(tool), face, context.foldsCase);
        if (row === undefined || row.decision === 'allow' || isCatchAll(row)) return true;
        return row.decision === 'ask' && (open || context.grants.find(tool, face, row) !== undefined);
      }),
    ),
  );
}

const showing = ['read_file', 'read', 'grep', 'search_code'];
