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
  if (text === '') return new ToolError('failed', `git failed with exit code ${capture.code}.`);
  const refused = refusedSettings.find(({ says }) => says.test(text));
  if (refused === undefined) return new ToolError('failed', text);
  const key = refused.key === undefined ? '' : ` (${refused.key})`;
  return new ToolError(
    'failed',
    `${text}${key}\ngit refuses this configuration, so nothing was read. \`git config --list --show-origin\` says where it is set; correct it there.`,
  );
}

/** What git says of config it can't use, with the key where git does not name it. */
const refusedSettings: readonly { readonly says: RegExp; readonly key?: string }[] = [
  { says: /bad config|bad (?:numeric|boolean) config value/ },
  { says: /unknown date format/, key: 'log.date or blame.date' },
  { says: /bad zlib compression level/, key: 'core.compression, core.looseCompression or pack.compression' },
  {
    says: /Expected git repo version|unknown repository extension/,
    key: 'core.repositoryFormatVersion or extensions.*',
  },
  { says: /v1-only extension/, key: 'core.repositoryFormatVersion' },
];

/** True when HEAD names no commit yet. */
export async function hasNoCommits(git: Git): Promise<boolean> {
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (head.code !== 0 && head.stderr.trim() !== '') throw gitError(head);
  return head.code !== 0;
}

/** The tree with nothing in it, in the repository's own kind of hash. */
export async function emptyTree(git: Git): Promise<string> {
  return expectSuccess(await git.run(['hash-object', '-t', 'tree', '/dev/null']))
    .stdout.toString()
    .trim();
}
