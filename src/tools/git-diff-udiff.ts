import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { validatePath } from '../change/patch/path.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { rootPath } from './command.ts';
import type { Cut } from './git-cut.ts';
import { refuseUnknown, uncommitted } from './git-diff.ts';
import { gitOf } from './git-open.ts';
import { leftOutNote, literal, quoteName } from './git-path.ts';
import { readStatus } from './git-status.ts';
import type { StatusFile } from './git-status-parse.ts';

const noRepository = 'workspace is not a git repository, cannot verify changes';

/** `git_diff` of the `udiff` dialect: the changed files as git's porcelain lists them, then the diff against HEAD. */
export function udiffGitDiff(): Tool {
  return defineTool({
    name: 'git_diff',
    description: 'Show changed files and the diff against HEAD, new files included. Use it to check your work.',
    readOnly: true,
    input: z.strictObject({ path: z.string().optional().describe('File or folder to limit the output to.') }),
    prepare: ({ path: text }, context) => {
      const path = text === undefined ? rootPath(context.workspace) : strictPath(context, text);
      return {
        effects: [{ kind: 'read', path }],
        subject: path.given,
        plan: async () => ({ type: 'answer', text: await verification(context, path) }),
      };
    },
  });
}

async function verification(context: ToolContext, path: FilePath): Promise<string> {
  const git = await gitOf(context, noRepository);
  if (git.repository.top === undefined) throw new ToolError('failed', noRepository);
  const { files } = await readStatus(context.workspace, git, path.given === '.' ? '.' : literal(path.given));
  if (files.length === 0) {
    refuseUnknown(context, path);
    return 'No changes in the working tree.';
  }
  const { patches, text, initial } = await uncommitted(context, git, path, false, byteCut);
  const list = files.map(porcelainLine).join('\n');
  const notes = leftOutNote(patches.flatMap(({ denied }) => denied));
  const title = initial ? 'Diff (no commits yet, everything is new):' : 'Diff against HEAD:';
  return `Changed files (git status --porcelain):\n${cutList(list)}\n\n${title}\n${[text.trimEnd(), ...notes].join('\n')}`;
}

const byteCut: Cut = {
  limit: 64 * 1024,
  unit: 'bytes',
  note: (amount) =>
    `... output truncated, ${amount.toLocaleString('en-US')} bytes left out; pass a path to narrow it\n`,
};

const maxList = 16 * 1024;

function cutList(list: string): string {
  if (list.length <= maxList) return list;
  const shown = list.slice(0, list.lastIndexOf('\n', maxList));
  const more = list.slice(shown.length + 1).split('\n').length;
  return `${shown}\n... ${more.toLocaleString('en-US')} more files, pass a path to narrow it`;
}

/** `XY name`, or `XY from -> name`. git-status(1), "Short format". */
function porcelainLine(file: StatusFile): string {
  const state = `${file.staged}${file.worktree}`.replaceAll('.', ' ');
  const name = quoteName(file.name);
  return file.from === undefined ? `${state} ${name}` : `${state} ${quoteName(file.from)} -> ${name}`;
}

/** A path is taken as it stands or refused: a silent mending would hide a mistake from the model. */
function strictPath({ workspace }: ToolContext, text: string): FilePath {
  validatePath(text);
  return workspace.resolve(text);
}
