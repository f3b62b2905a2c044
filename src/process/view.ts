import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { removeTree } from '../base/remove-tree.ts';
import { capture } from './capture.ts';
import { childEnvironment, type Environment } from './environment.ts';
import type { RunOptions } from './run.ts';
import type { Invocation } from './shell.ts';
import { viewName } from './view-name.ts';
import type { Namespaces } from './view-namespaces.ts';
import { quoted, startViewShell } from './view-shell.ts';

/**
 * A copy-on-write view of a workspace, for one command: a user, mount and process namespace in which an overlay lies over
 * the workspace at its real path. What the command writes goes to `upper`; the workspace stays as it is.
 */
export interface View {
  /** Owner-only; holds everything of the view and goes with it. */
  readonly folder: string;
  /** What differs from the workspace, as overlayfs writes it. */
  readonly upper: string;
  /** What runs an invocation, confined already or not, in the view; for `run`, once. */
  enter(invocation: Invocation): Pick<RunOptions, 'file' | 'args' | 'ahead'>;
  /** When the command began, in ns as the workspace's file system tells it; undefined when the view could not be made. */
  begunAt(): bigint | undefined;
  /** Which of these relative paths can be seen in the view. */
  visible(paths: readonly string[]): Promise<readonly boolean[]>;
  /** The view counts as gone at once; its folder goes while others work on. */
  remove(): Promise<void>;
}

/** A view that stands and waits for its command. */
export interface OpenedView extends View {
  /** Whether it can still be entered. */
  waits(): boolean;
  /** Whether this process is to live on for it. */
  hold(needed: boolean): void;
}

export interface ViewOptions {
  /** Whether the invocation will be bubblewrap's. */
  readonly sandboxed: boolean;
  /** False: no network but for what the sandbox around the command gives. Default true. */
  readonly network?: boolean;
  /** The whole environment of the command. */
  readonly env: Environment;
}

/** Relative names, so that no character of a path means anything to the mount options. `lower` is a link beside all views. */
const overlayOptions = 'lowerdir=../lower,upperdir=up,workdir=work,userxattr';

/** Makes a view of `root` in `place`, in which the link `lower` leads to `root`. */
export function openView(place: string, root: string, namespaces: Namespaces, options: ViewOptions): OpenedView {
  const { sandboxed, network = true, env } = options;
  const folder = join(place, viewName());
  makeFolders(folder, statsOfRoot(root));
  const mounted = (how: string) => mountText(namespaces.mount, folder, how, root);
  const outside = namespaces.outside({ processes: !sandboxed, network: network || sandboxed });
  const shell = startViewShell(outside, mounted(overlayOptions), env);
  return {
    folder,
    upper: join(folder, 'up'),
    enter: (invocation) => shell.told(namespaces.inside(invocation, sandboxed), root),
    begunAt: () => lstatSync(join(folder, 'begun'), { bigint: true, throwIfNoEntry: false })?.ctimeNs,
    visible: (paths) => seen(paths, namespaces.outside({}), `${mounted(`ro,${overlayOptions}`)}cd ${quoted(root)}\n`),
    waits: shell.waits,
    hold: shell.hold,
    remove: () => {
      shell.end();
      return removeLater(folder);
    },
  };
}

/** Throws `missing`. */
function statsOfRoot(root: string): Stats {
  const stats = lstatSync(root, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return stats;
  throw new ToolError('missing', `The working folder ${root} no longer exists, so nothing was run.`);
}

/** The folder of what was written is what the command sees as the workspace's own: it has its owner and its mode. */
function makeFolders(folder: string, { mode, uid, gid }: Stats): void {
  const [upper, work] = [join(folder, 'up'), join(folder, 'work')];
  for (const one of [folder, upper, work]) mkdirSync(one, { mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & 0o7777);
}

function mountText(mount: string, folder: string, options: string, root: string): string {
  const words = [mount, '-n', '-i', '-t', 'overlay', 'overlay', '-o', options, root].map(quoted).join(' ');
  return `cd ${quoted(folder)} && LC_ALL=C ${words} || exit 1\n`;
}

/** A view without `begun` is of no interest to anybody; so it is no loss when this process ends before the rest is gone. */
async function removeLater(folder: string): Promise<void> {
  rmSync(join(folder, 'begun'), { force: true });
  await rm(folder, { recursive: true, force: true })
    .catch(() => removeTree(folder))
    .catch(() => removeDeep(folder));
}

/** A tree can be deeper than any path may be long; rm(1) goes down step by step. What it leaves, the next start meets again. */
async function removeDeep(folder: string): Promise<void> {
  const words = { file: 'rm', args: ['-rf', '--', folder], cwd: '/', env: childEnvironment() };
  await capture(words).catch(() => undefined);
}

const pathsAtOnce = 500;
const looks = 'for path do if [ -e "./$path" ] || [ -L "./$path" ]; then echo 1; else echo 0; fi; done\n';

/** Asks the kernel, by mounting the view once more: how an overlay marks a folder that hides the one below is its own affair. */
async function seen(paths: readonly string[], outside: readonly string[], within: string): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const some = paths.slice(at, at + pathsAtOnce);
    const [file = '/bin/sh', ...args] = [...outside, '/bin/sh', '-s', '--', ...some];
    const input = `${within}${looks}`;
    const { code, stdout, stderr } = await capture({ file, args, cwd: '/', env: childEnvironment(), input });
    const answers = stdout.toString('latin1').trim().split('\n');
    if (code !== 0 || answers.length !== some.length) throw new Error(`The view can't be read again: ${stderr.trim()}`);
    found.push(...answers.map((answer) => answer === '1'));
  }
  return found;
}
