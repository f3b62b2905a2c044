import { posix } from 'node:path';
import { detectEncoding } from '../../base/encoding.ts';
import { asToolError, ToolError } from '../../base/error.ts';
import { type FileState, fileState } from '../../workspace/file-state.ts';
import type { FilePath } from '../../workspace/path.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Change, ChangeSet } from '../change.ts';
import { stateNow } from '../state-now.ts';
import { newFile, newLink } from './create.ts';
import type { PatchFile } from './model.ts';
import type { PatchTarget } from './resolve.ts';
import { spliceHunks } from './splice.ts';

type Files = Pick<Workspace, 'root' | 'read' | 'stat' | 'resolve'>;

/**
 * Computes what a patch does, all or nothing; nothing is written.
 *
 * @throws ToolError naming the file: `conflict` (a hunk does not match, a new file exists, not a regular file),
 * `missing`, `outside` (a link to create leads out), `invalid` (a section changes nothing)
 */
export async function applyPatch(targets: readonly PatchTarget[], files: Files): Promise<ChangeSet> {
  const changes: Change[] = [];
  for (const target of targets) changes.push(await applyFile(target, files));
  return changes;
}

async function applyFile(target: PatchTarget, files: Files): Promise<Change> {
  const { file, path, to } = target;
  refuseTaken(file.kind === 'create' ? path : to, files);
  if (file.kind === 'create') return { type: 'create', path, after: newFile(file, path, files) };
  const before = await readBefore(target, files);
  const bytes = patched(file, path, before);
  if (file.kind === 'delete') return deletion(path, before, bytes);
  if (file.becomes)
    return { ...deletion(path, before, bytes), type: 'modify', after: newFile(file.becomes, path, files) };
  const after =
    before.kind === 'symlink'
      ? newLink(bytes, to ?? path, files)
      : fileState(bytes, patchedMode(before.mode, file.mode));
  if (to !== undefined) return { type: 'rename', path, to, before, after };
  if (after.digest !== before.digest || after.mode !== before.mode) return { type: 'modify', path, before, after };
  throw new ToolError(
    'invalid',
    `The patch changes nothing in ${path.given}: it is already as the patch would make it. No files were modified.`,
  );
}

function refuseTaken(path: FilePath | undefined, files: Files): void {
  if (path === undefined) return;
  if (files.stat(path) !== undefined) {
    throw new ToolError('conflict', `${path.given} already exists. No files were modified.`);
  }
  for (let folder = posix.dirname(path.rel); folder !== '.'; folder = posix.dirname(folder)) {
    const there = files.stat(files.resolve(folder));
    if (there?.isDirectory()) return;
    if (there === undefined) continue;
    throw new ToolError('conflict', `${path.given} can't be made: ${folder} is no folder. No files were modified.`);
  }
}

async function readBefore({ file, path }: PatchTarget, files: Files): Promise<FileState> {
  try {
    const link = files.stat(path)?.isSymbolicLink() ? stateNow(files, path) : undefined;
    if (link) return link;
    if (file.link) throw notALink(path, files);
    const { kind, bytes, mode, digest } = await files.read(path);
    return { kind, bytes, mode, digest };
  } catch (thrown) {
    const { code, message } = asToolError(thrown);
    const text = message.includes(path.given) ? message : `${path.given}: ${message}`;
    throw new ToolError(code, `${text}${/[.!?]$/.test(text) ? '' : '.'} No files were modified.`, { cause: thrown });
  }
}

function notALink(path: FilePath, files: Files): ToolError {
  return files.stat(path) === undefined
    ? new ToolError('missing', `No such file: ${path.given}`)
    : new ToolError('conflict', `${path.given} is no symbolic link, though the patch says so`);
}

function patched(file: PatchFile, path: FilePath, before: FileState): Buffer {
  if (file.hunks.length === 0) return before.bytes;
  try {
    return spliceHunks(before.bytes, file.hunks);
  } catch (thrown) {
    const { code, message } = asToolError(thrown);
    throw new ToolError(code, misapplied(path.given, message), { cause: thrown });
  }
}

function deletion(path: FilePath, before: FileState, left: Buffer): Change & { readonly type: 'delete' } {
  // A byte order mark is no line, so no hunk removes it.
  if (left.length === detectEncoding(left).bom.length) return { type: 'delete', path, before };
  const detail = 'the patch deletes the file, but its hunks do not remove all of the content';
  throw new ToolError('conflict', misapplied(path.given, detail));
}

/** What a model should do with a hunk that does not match, and what it should not. */
function misapplied(name: string, detail: string): string {
  return (
    `apply patch to ${name}: ${detail.replace(/\.$/, '')}. No files were modified. ` +
    `Do not fall back to write_file or rewrite the whole file. Re-read "${name}" with read_file, ` +
    'then generate a new, minimal patch with fresh context lines copied from its current content.'
  );
}

/** Git knows of a file's mode only whether it may be executed; whoever may read it may then execute it. */
function patchedMode(mode: number, wanted: number | undefined): number {
  if (wanted === undefined) return mode;
  return (wanted & 0o111) !== 0 ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}
