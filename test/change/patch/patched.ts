import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChangeSet } from '../../../src/change/change.ts';
import { applyPatch } from '../../../src/change/patch/apply.ts';
import { parsePatch } from '../../../src/change/patch/parse.ts';
import { resolvePatch } from '../../../src/change/patch/resolve.ts';
import type { FileState } from '../../../src/workspace/file-state.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';
import { tempFolder } from '../../support/folders.ts';

/** What a patch would do to a folder. */
export async function planPatch(root: string, patch: string): Promise<ChangeSet> {
  const workspace = openWorkspace({ root });
  return applyPatch(resolvePatch(parsePatch(patch), workspace), workspace);
}

/** Applies a patch to a folder in the plainest way: deletes first, then writes. */
export async function applyTo(root: string, patch: string): Promise<void> {
  const changes = await planPatch(root, patch);
  for (const change of changes) if (change.type !== 'create' && !isEdit(change)) rmSync(change.path.abs);
  for (const change of changes) {
    if (change.type === 'delete') continue;
    write(change.type === 'rename' ? change.to.abs : change.path.abs, change.after);
  }
}

/** Is only the text of a file changed? What a link leads to is written anew. */
function isEdit(change: ChangeSet[number]): boolean {
  return change.type === 'modify' && change.before.kind === 'file' && change.after.kind === 'file';
}

function write(path: string, { kind, bytes, mode }: FileState): void {
  mkdirSync(dirname(path), { recursive: true });
  if (kind === 'symlink') symlinkSync(bytes.toString(), path);
  else writeFileSync(path, bytes, { mode });
  if (kind === 'file') chmodSync(path, mode);
}

/** The result of a patch over files given as text: all files after it. */
export async function patched(files: Record<string, string | Buffer>, patch: string): Promise<Record<string, string>> {
  const root = tempFolder(files);
  await applyTo(root, patch);
  return contentOf(root);
}

/** The message with which a patch is refused; fails when it is not. */
export async function refusal(files: Record<string, string | Buffer>, patch: string): Promise<string> {
  const root = tempFolder(files);
  const outcome = await planPatch(root, patch).catch((error: Error) => error);
  if (!(outcome instanceof Error)) throw new Error('the patch was not refused');
  if (outcome.name !== 'ToolError') throw outcome;
  return `${(outcome as Error & { code: string }).code}: ${outcome.message}`;
}

/** All files of a folder by relative name, as latin1 text, a link as `-> target`; `.git` left out. */
export function contentOf(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    if (name === '.git') continue;
    const rel = join(below, name);
    const path = join(root, rel);
    const stats = lstatSync(path);
    if (stats.isDirectory()) Object.assign(found, contentOf(root, rel));
    else if (stats.isSymbolicLink()) found[rel] = `-> ${readlinkSync(path)}`;
    else found[rel] = readFileSync(path, 'latin1');
  }
  return found;
}
