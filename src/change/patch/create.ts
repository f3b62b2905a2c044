import { isAbsolute, posix } from 'node:path';
import { ToolError } from '../../base/error.ts';
import { digestOf, type FileState, fileState } from '../../workspace/file-state.ts';
import type { FilePath } from '../../workspace/path.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { makesLink, type PatchFile } from './model.ts';

/** The file that a section creates: UTF-8, lines ending as in the patch, mode 0o644 unless the patch says 100755. */
export function newFile(file: PatchFile, path: FilePath, places: Pick<Workspace, 'resolve'>): FileState {
  const bytes = newBytes(file, path);
  return makesLink(file)
    ? newLink(bytes, path, places)
    : fileState(bytes, ((file.mode ?? 0) & 0o111) !== 0 ? 0o755 : 0o644);
}

function newBytes({ hunks }: PatchFile, path: FilePath): Buffer {
  if (hunks.length > 1) throw bad(path, `the hunk on line ${hunks[1]!.line} of the patch is a second one`);
  const lines = hunks[0]?.lines ?? [];
  const odd = lines.find(({ kind }) => kind !== 'add');
  if (odd) throw bad(path, `line ${odd.line} of the patch does not begin with "+"`);
  return Buffer.from(lines.map(({ text, eol }) => text + eol).join(''));
}

function bad(path: FilePath, what: string): ToolError {
  return new ToolError(
    'invalid',
    `The patch creates ${path.given}, so it must have one hunk of "+" lines only, but ${what}. No files were modified.`,
  );
}

/** A link with this target; git stores it as the text of a file, without a newline. Throws `outside` where it leads out. */
export function newLink(bytes: Buffer, path: FilePath, places: Pick<Workspace, 'resolve'>): FileState {
  const target = bytes.toString('utf8');
  if (target === '' || /[\x00-\x1f]/.test(target)) {
    throw new ToolError('invalid', `The symbolic link ${path.given} needs a target: one line, no newline at its end.`);
  }
  if (isAbsolute(target) || leadsOutside(path, target, places)) {
    throw new ToolError(
      'outside',
      `The symbolic link ${path.given} would lead to "${target}", which may be outside the workspace. No files were modified.`,
    );
  }
  return { kind: 'symlink', bytes, mode: 0o777, digest: digestOf(bytes) };
}

/** A `..` behind a name would climb from wherever that name leads, if it is a link: only leading ones are plain. */
function leadsOutside(path: FilePath, target: string, places: Pick<Workspace, 'resolve'>): boolean {
  if (/[^./][^/]*\/+\.\.(?:\/|$)/.test(target)) return true;
  try {
    places.resolve(posix.join(posix.dirname(path.rel), target));
    return false;
  } catch {
    return true;
  }
}
