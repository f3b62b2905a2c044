import { ToolError } from '../base/error.ts';
import type { Capture } from '../process/capture.ts';
import { type Git, openGit } from '../process/git.ts';
import type { ToolContext } from '../tool/tool.ts';

/** git on the workspace, or an error in the words of the dialect when the workspace lies in no repository. */
export async function gitOf(context: ToolContext, notRepository: string): Promise<Git> {
  const git = await openGit(context.workspace.root.real, { signal: context.signal });
  if (git === undefined) throw new ToolError('failed', notRepository);
  return git;
}

export function notARepository(context: ToolContext): string {
  return `${context.workspace.root.spelled} is not a git repository.`;
}

/** git's own words are the most useful ones when it fails. */
export function expectSuccess(capture: Capture): Capture {
  if (capture.code === 0) return capture;
  throw gitError(capture);
}

export function gitError(capture: Capture): ToolError {
  const text = capture.stderr.trim();
  return new ToolError('failed', text === '' ? `git failed with exit code ${capture.code}.` : text);
}

/** True when HEAD names no commit yet. */
export async function hasNoCommits(git: Git): Promise<boolean> {
  return (await git.run(['rev-parse', '--verify', '--quiet', 'HEAD'])).code !== 0;
}

/** The tree with nothing in it, in the repository's own kind of hash. */
export async function emptyTree(git: Git): Promise<string> {
  return expectSuccess(await git.run(['hash-object', '-t', 'tree', '/dev/null']))
    .stdout.toString()
    .trim();
}
