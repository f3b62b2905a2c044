import { ToolError } from '../base/error.ts';
import type { Git } from '../process/git.ts';
import { absent, shownDiffsSlot } from '../tool/shown.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Changed, diffOptions } from './git-changed.ts';
import { expectSuccess } from './git-open.ts';
import { allBut, mayShow, pathOf } from './git-path.ts';
import { type Section, splitSections } from './git-sections.ts';
import { untrackedSection } from './git-untracked.ts';

/** A patch in pieces, before it is cut to what a dialect shows. */
export interface Patch {
  readonly sections: readonly Section[];
  /** Bytes of git's output that were not even kept. */
  readonly beyond: number;
  /** Names of changed files whose content may not be shown. */
  readonly denied: readonly string[];
}

/** More than any dialect shows, so that what is cut can be counted. */
const kept = 4 * 1024 * 1024;
const maxExcluded = 1000;

/** The patch between two states of which is known what differs, denied files left out. */
export async function patchOf(
  workspace: Workspace,
  git: Git,
  range: readonly string[],
  pathspecs: readonly string[],
  changed: readonly Changed[],
): Promise<Patch> {
  // Of a renamed file either half shows the content, so one that may not be shown takes the other along.
  const denied = changed
    .map(({ name, from }) => (from === undefined ? [name] : [from, name]))
    .filter((names) => !names.every((name) => mayShow(workspace, name)))
    .flat();
  if (denied.length > maxExcluded) {
    throw new ToolError(
      'failed',
      `${denied.length} changed files may not be shown. Pass the path of a file or folder.`,
    );
  }
  if (changed.length === 0) return { sections: [], beyond: 0, denied: [] };
  const patch = await git.run(
    [
      'diff',
      '--patch',
      '--unified=3',
      '--inter-hunk-context=0',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      ...diffOptions,
    ].concat(range, '--', pathspecs, allBut(denied)),
    { maxBytes: kept },
  );
  const { stdout, total } = expectSuccess(patch);
  return { sections: splitSections(stdout.toString()), beyond: total - stdout.length, denied };
}

/** The sections of files git does not know yet, until `enough` characters are there. */
export async function untrackedPatch(workspace: Workspace, names: readonly string[], enough: number): Promise<Patch> {
  const sections: Section[] = [];
  const denied = names.filter((name) => !mayShow(workspace, name));
  let length = 0;
  for (const name of names.filter((one) => !denied.includes(one))) {
    const section = length > enough ? { text: `new file ${name}\n` } : await untrackedSection(workspace, name);
    if (section === undefined) continue;
    length += section.text.length;
    sections.push(section);
  }
  return { sections, beyond: 0, denied };
}

/** Files over this size are not hashed to remember that they were shown. */
const maxHashed = 16 * 1024 * 1024;

/**
 * The state of files as a diff is about to show them. Calling the result with the names that were shown in full
 * remembers those that are still in that state.
 */
export async function watchShown(
  context: ToolContext,
  names: readonly string[],
): Promise<(shown: readonly string[]) => Promise<void>> {
  const before = new Map<string, string>();
  for (const name of names) {
    const state = await stateOf(context.workspace, name);
    if (state !== undefined) before.set(name, state);
  }
  return async (shown) => {
    for (const name of shown) {
      const state = before.get(name);
      if (state === undefined || state !== (await stateOf(context.workspace, name))) continue;
      context.state.get(shownDiffsSlot).add(pathOf(context.workspace, name)!, state);
    }
  };
}

async function stateOf(workspace: Workspace, name: string): Promise<string | undefined> {
  const path = pathOf(workspace, name);
  if (path === undefined || !workspace.visible(path)) return undefined;
  const stats = workspace.stat(path);
  if (stats === undefined) return absent;
  if (!stats.isFile() || stats.size > maxHashed) return undefined;
  return workspace.read(path).then(
    ({ digest }) => digest,
    () => undefined,
  );
}
