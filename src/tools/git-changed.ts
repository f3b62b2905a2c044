import type { Git } from '../process/git.ts';
import { expectSuccess } from './git-open.ts';

/** One entry of `git diff --raw`; names relative to the workspace. */
export interface Changed {
  /** A added, C copied, D deleted, M modified, R renamed, T another type, U unmerged. */
  readonly status: string;
  readonly name: string;
  readonly from?: string;
}

/** How every difference is taken, so that neither config nor attributes can make it another one. */
export const diffOptions: readonly string[] = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--find-renames',
  '--relative',
];

/** What differs between two states. `range` are arguments that were made or verified here, never a model's text. */
export async function listChanged(
  git: Git,
  range: readonly string[],
  pathspecs: readonly string[],
): Promise<readonly Changed[]> {
  const listed = await git.run(['diff', '--raw', '-z', ...diffOptions, ...range, '--', ...pathspecs]);
  return parseRaw(expectSuccess(listed).stdout.toString());
}

/** `:mode mode hash hash S\0name\0`, and for R and C `…\0from\0to\0`. git-diff(1), "Raw output format". */
export function parseRaw(text: string): readonly Changed[] {
  const fields = text.split('\0');
  const changes: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const status = fields[at]!.split(' ').at(-1)!.slice(0, 1);
    const two = status === 'R' || status === 'C';
    const name = fields[at + (two ? 2 : 1)]!;
    changes.push(two ? { status, name, from: fields[at + 1]! } : { status, name });
    at += two ? 3 : 2;
  }
  return changes;
}
