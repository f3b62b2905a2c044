import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { Git } from '../process/git.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { rootPath } from './command.ts';
import { listChanged } from './git-changed.ts';
import { type Cut, cutPatch } from './git-cut.ts';
import { emptyTree, expectSuccess, gitOf, hasNoCommits, notARepository } from './git-open.ts';
import { type Patch, patchOf, untrackedPatch, watchShown } from './git-patch.ts';
import { leftOutNote, literal } from './git-path.ts';

const maxChars = 30_000;

/** `git_diff` of `shiro` and `native`: everything not committed yet, new files included; or what is staged. */
export function gitDiff(): Tool {
  return defineTool({
    name: 'git_diff',
    description: 'Unified diff of uncommitted changes, new files included.',
    set: 'git',
    readOnly: true,
    input: z.strictObject({
      staged: z.boolean().optional().describe('only what is staged'),
      path: z.string().optional().describe('file or folder'),
    }),
    prepare: ({ staged = false, path: text }, context) => {
      const path = text === undefined ? rootPath(context.workspace) : context.workspace.resolve(text);
      return {
        effects: [{ kind: 'read', path }],
        subject: path.given,
        plan: async () => {
          const git = await gitOf(context, notARepository(context));
          return { type: 'answer', text: await diffText(context, git, path, staged) };
        },
      };
    },
  });
}

async function diffText(context: ToolContext, git: Git, path: FilePath, staged: boolean): Promise<string> {
  const { patches, text } = await uncommitted(context, git, path, staged, charCut);
  const notes = leftOutNote(patches.flatMap(({ denied }) => denied));
  if (text !== '') return [text.replace(/\n$/, ''), ...notes].join('\n');
  const where = path.given === '.' ? '' : ` in ${path.given}`;
  const module = await submoduleOf(git, path);
  if (module !== undefined)
    return `${module} is a submodule: its files are not compared here. Use git in it through bash, or open it as the workspace.`;
  return [`No ${staged ? 'staged' : 'uncommitted'} changes${where}.`, ...notes].join('\n');
}

export const charCut: Cut = {
  limit: maxChars - 200,
  unit: 'chars',
  note: (amount) => `... [truncated ${amount.toLocaleString('en-US')} chars] Pass path to narrow it.\n`,
};

export interface Uncommitted {
  readonly patches: readonly Patch[];
  readonly text: string;
  /** True when there is no commit to compare with. */
  readonly initial: boolean;
}

/** The difference to the last commit, cut as the dialect asks; remembers which files it showed in full. */
export async function uncommitted(
  context: ToolContext,
  git: Git,
  path: FilePath,
  staged: boolean,
  cut: Cut,
): Promise<Uncommitted> {
  const { workspace } = context;
  const spec = path.given === '.' ? '.' : literal(path.given);
  const [initial, untracked] = await Promise.all([hasNoCommits(git), staged ? [] : untrackedNames(git, spec)]);
  const base = initial ? await emptyTree(git) : 'HEAD';
  const range = staged ? ['--cached', base] : [base];
  const changed = await listChanged(git, range, [spec]);
  if (changed.length + untracked.length === 0) refuseUnknown(context, path);
  const names = staged ? [] : [...changed.map(({ name }) => name), ...untracked];
  const remember = await watchShown(context, names.slice(0, maxWatched));
  const patches = [
    await patchOf(workspace, git, range, [spec], changed),
    await untrackedPatch(workspace, untracked, cut.limit),
  ];
  const { text, complete } = cutPatch(patches, cut);
  await remember(complete);
  return { patches, text, initial };
}

const maxWatched = 1000;

/** The submodule that `path` lies in or is, since git says nothing of changes in there. */
async function submoduleOf(git: Git, path: FilePath): Promise<string | undefined> {
  if (path.given === '.') return undefined;
  const parts = path.given.split('/');
  const above = parts.map((_, at) => literal(parts.slice(0, at + 1).join('/')));
  const listed = await git.run(['ls-files', '--stage', '-z', '--', ...above.slice(0, 100)], { maxBytes: 65_536 });
  const link = listed.stdout
    .toString()
    .split('\0')
    .find((entry) => entry.startsWith('160000 '));
  return link?.slice(link.indexOf('\t') + 1);
}

async function untrackedNames(git: Git, spec: string): Promise<readonly string[]> {
  const { stdout } = expectSuccess(await git.run(['ls-files', '--others', '--exclude-standard', '-z', '--', spec]));
  return stdout.toString().split('\0').filter(Boolean);
}

/** A path that is neither on the disk nor in the last commit is a mistake, not an unchanged file. */
export function refuseUnknown({ workspace }: ToolContext, path: FilePath): void {
  if (workspace.stat(path) !== undefined) return;
  throw new ToolError('missing', `No such path: ${path.given}. It is neither in the workspace nor in the last commit.`);
}
