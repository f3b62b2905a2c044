import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { Git } from '../process/git.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { rootPath } from './command.ts';
import { expectSuccess, gitOf, hasNoCommits, notARepository } from './git-open.ts';
import { literal } from './git-path.ts';

const usual = 15;
const most = 40;

/** `git_log`: one line a commit, newest first. */
export function gitLog(): Tool {
  return defineTool({
    name: 'git_log',
    description: 'Commits, newest first: hash, date, author, subject.',
    set: 'git',
    readOnly: true,
    input: z.strictObject({
      limit: z.int().min(1).optional().describe(`default ${usual}, at most ${most}`),
      path: z.string().optional().describe('file or folder'),
    }),
    prepare: ({ limit = usual, path: text }, context) => {
      const path = text === undefined ? rootPath(context.workspace) : context.workspace.resolve(text);
      return {
        effects: [{ kind: 'read', path }],
        subject: path.given,
        plan: async () => {
          const git = await gitOf(context, notARepository(context));
          return { type: 'answer', text: await log(context, git, path, Math.min(limit, most)) };
        },
      };
    },
  });
}

async function log(context: ToolContext, git: Git, path: FilePath, limit: number): Promise<string> {
  if (await hasNoCommits(git)) return 'No commits yet.';
  const format = ['-z', '--no-color', '--date=short', '--encoding=UTF-8', '--format=%h%x00%ad%x00%an%x00%s'];
  const paths = path.given === '.' ? everything(context, git) : [literal(path.given)];
  const { stdout } = expectSuccess(await git.run(['log', `--max-count=${limit}`, ...format, 'HEAD', '--', ...paths]));
  const fields = stdout.toString().split('\0');
  if (fields.length < 4) throw untouched(context, path);
  const lines = Array.from({ length: Math.floor(fields.length / 4) }, (_, at) => {
    const [hash, date, author, subject] = fields.slice(at * 4, at * 4 + 4);
    return `${hash} ${date} ${author}: ${subject}`;
  });
  return lines.join('\n');
}

/** At the top of a repository all commits, also those without changes; below it, those that touch the workspace. */
function everything({ workspace }: ToolContext, { repository }: Git): readonly string[] {
  return repository.top === undefined || repository.top === workspace.root.real ? [] : ['.'];
}

function untouched({ workspace }: ToolContext, path: FilePath): ToolError {
  const what = workspace.stat(path) === undefined ? ', and there is no such file' : '';
  return new ToolError('missing', `No commit touches ${path.given}${what}.`);
}
