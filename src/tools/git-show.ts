import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { Git } from '../process/git.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { rootPath } from './command.ts';
import { listChanged } from './git-changed.ts';
import { cutPatch } from './git-cut.ts';
import { charCut } from './git-diff.ts';
import { emptyTree, expectSuccess, gitError, gitOf, notARepository } from './git-open.ts';
import { patchOf } from './git-patch.ts';
import { leftOutNote, literal } from './git-path.ts';

/** `git_show`: one commit's message, author and diff. */
export function gitShow(): Tool {
  return defineTool({
    name: 'git_show',
    description: 'Show one commit: message, author, diff.',
    set: 'git',
    readOnly: true,
    input: z.strictObject({
      ref: z.string().describe('commit, branch or tag'),
      path: z.string().optional(),
    }),
    prepare: ({ ref, path: text }, context) => {
      const path = text === undefined ? rootPath(context.workspace) : context.workspace.resolve(text);
      return {
        effects: [{ kind: 'read', path }],
        subject: refuseOption(ref),
        plan: async () => {
          const git = await gitOf(context, notARepository(context));
          return { type: 'answer', text: await show(context, git, await resolveCommit(git, ref), path) };
        },
      };
    },
  });
}

/** A ref can't begin with a dash: what does is an option in disguise; with ^ it leaves commits out. gitrevisions(7). */
function refuseOption(ref: string): string {
  const sign = /^[-^]/.exec(ref)?.[0];
  const problem = ref.trim() === '' ? 'is empty' : sign === undefined ? undefined : `begins with "${sign}"`;
  if (problem === undefined && !/[\x00-\x1f\x7f]/.test(ref)) return ref;
  throw new ToolError(
    'invalid',
    `bad ref ${JSON.stringify(ref)}: it ${problem ?? 'holds control characters'}. Send a commit, branch or tag.`,
  );
}

/** The full hash of the commit a ref names. Only the hash goes any further, so nothing in the text can act. */
async function resolveCommit(git: Git, ref: string): Promise<string> {
  const parsed = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (parsed.code === 0) return parsed.stdout.toString().trim();
  // Asked once more for git's own words.
  const failed = await git.run(['rev-list', '--max-count=1', '--end-of-options', ref, '--']);
  if (failed.code !== 0) throw gitError(failed);
  throw new ToolError('failed', `${ref} does not name a commit.`);
}

async function show(context: ToolContext, git: Git, hash: string, path: FilePath): Promise<string> {
  const format = '--format=%H%x00%an <%ae>%x00%ad%x00%P%x00%B';
  const args = ['log', '--max-count=1', '--no-color', '--no-patch', '--date=iso-strict', '--encoding=UTF-8', format];
  const { stdout } = expectSuccess(await git.run([...args, hash, '--']));
  const [commit, author, date, parents = '', message = ''] = stdout.toString().split('\0');
  const parent = parents.split(' ')[0]!;
  const range = [parent === '' ? await emptyTree(git) : parent, hash];
  const paths = path.given !== '.' ? [literal(path.given)] : git.repository.top === undefined ? [] : ['.'];
  const changed = await listChanged(git, range, paths);
  const patch = await patchOf(context.workspace, git, range, paths, changed);
  const merge = parents.includes(' ') ? [`Merge:  ${parents} (diff against the first)`] : [];
  const body = message
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`));
  const header = [`commit ${commit}`, ...merge, `Author: ${author}`, `Date:   ${date}`, '', ...body, '']
    .join('\n')
    .slice(0, maxHeader);
  const { text } = cutPatch([patch], { ...charCut, limit: charCut.limit - header.length, note: showNote });
  const untouched = path.given === '.' || changed.length > 0 ? [] : [`This commit does not touch ${path.given}.`];
  return [header, text.trimEnd(), ...untouched, ...leftOutNote(patch.denied)].filter((part) => part !== '').join('\n');
}

const maxHeader = 10_000;

function showNote(amount: number): string {
  return `... [truncated ${amount.toLocaleString('en-US')} chars] Pass path to narrow it.\n`;
}
