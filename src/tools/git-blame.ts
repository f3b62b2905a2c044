import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { thousands } from '../base/text.ts';
import type { Git } from '../process/git.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import { expectSuccess, gitOf, notARepository } from './git-open.ts';

const span = 40;
const maxChars = 29_800;

/** `git_blame`: who last changed each line. */
export function gitBlame(): Tool {
  return defineTool({
    name: 'git_blame',
    description: 'Who last changed each line of a file.',
    set: 'git',
    readOnly: true,
    input: z.strictObject({
      path: z.string(),
      startLine: z.int().min(1).optional().describe(`without endLine: ${span} lines`),
      endLine: z.int().min(1).optional(),
    }),
    prepare: ({ path: text, startLine, endLine }, context) => {
      const path = context.workspace.resolve(text);
      const range = rangeOf(startLine, endLine);
      return {
        effects: [{ kind: 'read', path }],
        subject: path.given,
        plan: async () => {
          if (!context.workspace.visible(path)) throw new ToolError('denied', `Reading ${path.given} is denied.`);
          const git = await gitOf(context, notARepository(context));
          return { type: 'answer', text: await blame(git, path, range) };
        },
      };
    },
  });
}

function rangeOf(start: number | undefined, end: number | undefined): readonly string[] {
  if (start === undefined && end === undefined) return [];
  const first = start ?? 1;
  const last = end ?? first + span - 1;
  if (last >= first) return ['-L', `${first},${last}`];
  throw new ToolError('invalid', `invalid git_blame arguments: endLine (${last}) lies before startLine (${first}).`);
}

async function blame(git: Git, path: FilePath, range: readonly string[]): Promise<string> {
  const args = [
    'blame',
    '--porcelain',
    '--no-textconv',
    '--encoding=UTF-8',
    '--root',
    '--no-ignore-revs-file',
    ...range,
  ];
  // A bare repository has no file to begin with, only the last commit.
  const from = git.repository.top === undefined ? ['HEAD'] : [];
  const blamed = expectSuccess(await git.run([...args, ...from, '--', path.given]));
  const lines = parseBlame(blamed.stdout.toString());
  if (lines.length === 0) return `${path.given} is empty.`;
  let room = maxChars;
  const count = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  if (count < 0 && blamed.total === blamed.stdout.length) return lines.join('\n');
  const shown = count < 0 ? lines : lines.slice(0, count);
  const next = Number(range[1]?.split(',')[0] ?? 1) + shown.length;
  const rest = lines.slice(shown.length).reduce((sum, line) => sum + line.length + 1, 0);
  return `${shown.join('\n')}\n... [truncated ${thousands(rest)} chars] Continue with startLine ${next}.`;
}

interface Commit {
  author: string;
  date: string;
}

/** A header line with hash and line numbers, a commit's facts where it appears first, the line behind a tab. git-blame(1). */
function parseBlame(text: string): readonly string[] {
  const commits = new Map<string, Commit>();
  const lines: string[] = [];
  let hash = '';
  let number = '';
  for (const line of text.split('\n')) {
    const commit = commits.get(hash);
    if (line.startsWith('\t')) {
      const short = /^0+$/.test(hash) ? 'uncommitted' : hash.slice(0, 8);
      lines.push(`${short} ${commit?.date} ${commit?.author} ${number}: ${clip(line.slice(1))}`);
      hash = '';
    } else if (hash === '') {
      [hash = '', , number = ''] = line.split(' ');
      if (!commits.has(hash)) commits.set(hash, { author: '', date: '' });
    } else if (line.startsWith('author ')) commit!.author = line.slice('author '.length);
    else if (line.startsWith('author-time ')) commit!.date = dayOf(Number(line.slice('author-time '.length)));
  }
  return lines;
}

const maxLine = 2000;

function clip(line: string): string {
  const more = line.length - maxLine;
  return more > 0 ? `${line.slice(0, maxLine)}... [${more.toLocaleString('en-US')} more chars]` : line;
}

function dayOf(seconds: number): string {
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString().slice(0, 10) : '';
}
