import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '../base/process-mark.ts';
import { removeTree } from '../base/remove-tree.ts';
import { capture } from './capture.ts';
import { childEnvironment } from './environment.ts';
import type { Invocation } from './shell.ts';
import type { Namespaces } from './view-namespaces.ts';

/**
 * A copy-on-write view of a workspace, for one command: a user, mount and process namespace in which an overlay lies over
 * the workspace at its real path. What the command writes goes to `upper`; the workspace stays as it is.
 */
export interface View {
  /** Owner-only; holds everything of the view and goes with it. */
  readonly folder: string;
  /** What differs from the workspace, as overlayfs writes it. */
  readonly upper: string;
  /** Turns an invocation, confined already or not, into one that runs in the view. */
  wrap(invocation: Invocation, how: ViewOptions): Invocation;
  /** When the command began, in ns as the workspace's file system tells it; undefined when the view could not be made. */
  begunAt(): bigint | undefined;
  /** Which of these relative paths can be seen in the view. */
  visible(paths: readonly string[]): Promise<readonly boolean[]>;
  remove(): void;
}

export interface ViewOptions {
  /** Whether the invocation is bubblewrap's. */
  readonly sandboxed: boolean;
  /** False: no network but for what the sandbox around the command gives. Default true. */
  readonly network?: boolean;
}

/** Relative names, so that no character of a path means anything to the mount options. */
const overlayOptions = 'lowerdir=lower,upperdir=up,workdir=work,userxattr';

/** The file `begun` is made when the view stands: its time divides what was there from what was changed meanwhile. */
const script = 'cd "$1" && "$2" -n -i -t overlay overlay -o "$3" "$4" && : > begun && cd "$4" && shift 4 && exec "$@"';

/** Makes the folders of a view of `root` in `place`; nothing is mounted before the command runs. */
export function openView(place: string, root: string, namespaces: Namespaces): View {
  const folder = join(place, randomBytes(6).toString('hex'));
  makeFolders(folder, root);
  const within = (options: string) => ['/bin/sh', '-c', script, 'sh', folder, namespaces.mount, options, root];
  return {
    folder,
    upper: join(folder, 'up'),
    wrap: (invocation, { sandboxed, network = true }) => {
      const outside = namespaces.outside({ processes: !sandboxed, network: network || sandboxed });
      const inside = namespaces.inside(invocation, sandboxed);
      return { file: outside[0]!, args: [...outside.slice(1), ...within(overlayOptions), ...inside] };
    },
    begunAt: () => lstatSync(join(folder, 'begun'), { bigint: true, throwIfNoEntry: false })?.ctimeNs,
    visible: (paths) =>
      seen(paths, (command) => [...namespaces.outside({}), ...within(`ro,${overlayOptions}`), ...command]),
    remove: () => removeTree(folder),
  };
}

function makeFolders(folder: string, root: string): void {
  mkdirSync(folder, { mode: 0o700 });
  // Which process the view belongs to comes first: without it nobody could tell a view in use from one left behind.
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(thisProcess()), { mode: 0o600 });
  const { mode } = lstatSync(root);
  mkdirSync(join(folder, 'up'), { mode: mode & 0o777 });
  mkdirSync(join(folder, 'work'), { mode: 0o700 });
  symlinkSync(root, join(folder, 'lower'));
}

const pathsAtOnce = 500;
const looks = 'for path do if [ -e "./$path" ] || [ -L "./$path" ]; then echo 1; else echo 0; fi; done';

/** Asks the kernel, by mounting the view once more: how an overlay marks a folder that hides the one below is its own affair. */
async function seen(
  paths: readonly string[],
  within: (command: readonly string[]) => readonly string[],
): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const some = paths.slice(at, at + pathsAtOnce);
    const [file, ...args] = within(['/bin/sh', '-c', looks, 'sh', ...some]);
    const { code, stdout, stderr } = await capture({ file: file!, args, cwd: '/', env: childEnvironment() });
    const answers = stdout.toString('latin1').trim().split('\n');
    if (code !== 0 || answers.length !== some.length) throw new Error(`The view can't be read again: ${stderr.trim()}`);
    found.push(...answers.map((answer) => answer === '1'));
  }
  return found;
}
