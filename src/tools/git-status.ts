import { relative, sep } from 'node:path';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { Git } from '../process/git.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { rootPath } from './command.ts';
import { expectSuccess, gitOf, notARepository } from './git-open.ts';
import { showName } from './git-path.ts';
import { parseStatus, type Status, type StatusFile } from './git-status-parse.ts';

/** `git_status`: branch, and one line a file in words. */
export function gitStatus(): Tool {
  return defineTool({
    name: 'git_status',
    description: 'Branch, and staged, modified and untracked files.',
    set: 'git',
    readOnly: true,
    input: z.strictObject({}),
    prepare: (_, context) => ({
      effects: [{ kind: 'read', path: rootPath(context.workspace) }],
      subject: '.',
      plan: async () => {
        const git = await gitOf(context, notARepository(context));
        return { type: 'answer', text: describe(await readStatus(context.workspace, git)) };
      },
    }),
  });
}

/** The status of the files in the workspace, names relative to it. */
export async function readStatus(workspace: Workspace, git: Git, pathspec = '.'): Promise<Status> {
  const { top } = git.repository;
  if (top === undefined) throw new ToolError('failed', 'This is a bare repository: it has no files to compare.');
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
  const { stdout } = expectSuccess(await git.run([...args, '--find-renames', '--', pathspec]));
  const status = parseStatus(stdout.toString());
  const below = relative(top, workspace.root.real).split(sep).join('/');
  return below === '' ? status : { ...status, files: status.files.map((file) => lift(file, `${below}/`)) };
}

function lift(file: StatusFile, prefix: string): StatusFile {
  const cut = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  return { ...file, name: cut(file.name), ...(file.from === undefined ? {} : { from: cut(file.from) }) };
}

/** Characters of the list; a repository with more is best looked at by folder. */
const maxList = 29_000;

function describe({ branch, commit, files }: Status): string {
  const place = branch === undefined ? `detached HEAD at ${commit?.slice(0, 7)}` : branch;
  const where = `On ${place}${commit === undefined ? ' (no commits yet)' : ''}`;
  if (files.length === 0) return `${where}, clean.`;
  const lines = files.map((file) => `${showName(file.name)}  (${words(file).join(', ')})`);
  return [`${where}, ${files.length} changed:`, ...fitting(lines)].join('\n');
}

function fitting(lines: readonly string[]): readonly string[] {
  let room = maxList;
  const count = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  if (count < 0) return lines;
  return [...lines.slice(0, count), `... [truncated ${(lines.length - count).toLocaleString('en-US')} files]`];
}

const kinds: Readonly<Record<string, string>> = {
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
};

function words(file: StatusFile): readonly string[] {
  if (file.staged === '?') return ['untracked'];
  if (file.conflict) return [`conflict: ${conflicts[file.staged + file.worktree] ?? 'unmerged'}`];
  const origin = file.from === undefined ? '' : ` from ${showName(file.from)}`;
  const say = (state: string, prefix: string) =>
    state === '.' ? [] : [`${prefix}${kinds[state] ?? state}${state === 'R' || state === 'C' ? origin : ''}`];
  return [...say(file.staged, 'staged '), ...say(file.worktree, '')];
}

const conflicts: Readonly<Record<string, string>> = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
};
