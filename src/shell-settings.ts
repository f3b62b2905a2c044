import { homedir } from 'node:os';
import { openWatch } from './change/watch.ts';
import { findHome } from './config/home.ts';
import { keysFile } from './config/keys.ts';
import type { Config } from './config/schema.ts';
import { cacheFolders } from './process/confinement.ts';
import { childEnvironment } from './process/environment.ts';
import { homeSecrets } from './process/home-secrets.ts';
import { openSandbox } from './process/sandbox.ts';
import type { Masker } from './process/text-filter.ts';
import { findViews } from './process/views.ts';
import type { ShellSettings, ViewSettings } from './tools/command.ts';
import { hiddenFiles } from './workspace/hidden-files.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface ShellSources {
  readonly workspace: Workspace;
  /** The folder for whole outputs, `@output` to the model. */
  readonly outputs: string | undefined;
  readonly mask: () => Masker;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox?: Config['sandbox'];
  readonly bash?: Config['bash'];
  /** Our state folder. */
  readonly home: string;
}

/** What is made unreadable is looked for in all of the workspace. */
const everywhere = { depth: 100, folders: 20_000 };

/** How commands run in this session: their environment, their sandbox, and what is hidden of what they print. */
export function shellSettings({
  workspace,
  outputs,
  mask,
  env,
  sandbox: wanted = {},
  bash = {},
  home,
}: ShellSources): ShellSettings {
  const { mode = 'auto', network = true, write = [], secrets = 'mask' } = wanted;
  const keys = keysFile(findHome(env));
  const hidden = hiddenFiles(workspace.root, workspace.visible, everywhere);
  const secretPaths = () => [...hidden().map(({ abs }) => abs), ...homeSecrets(env.HOME ?? homedir()), keys];
  const hide = () => (secrets === 'hide' ? secretPaths() : []);
  const { real: root } = workspace.root;
  const open = (isolated: boolean) => once(() => openSandbox({ mode, root, network, write, hide, isolated }));
  return {
    ...(outputs === undefined ? {} : { outputs }),
    mask,
    env: () => childEnvironment(env),
    watch: openWatch(workspace, ['.benchdogignore']),
    sandbox: open(false),
    views: {
      ...openViews(root, home),
      always: bash.view ?? false,
      preview: bash.preview ?? false,
      failed: bash.failed ?? 'commit',
      isolated: open(true),
      outside: () => writableOutside(root, env, write),
    },
  };
}

function openViews(root: string, home: string): Pick<ViewSettings, 'find' | 'close'> {
  let found: ReturnType<typeof findViews> | undefined;
  const find = () => {
    found ??= findViews(root, home);
    return found;
  };
  const close = async () => {
    const views = await found;
    if (views !== undefined && 'close' in views) await views.close();
  };
  return { find, close };
}

/** What a command may write that no view holds back. */
function writableOutside(root: string, env: ShellSources['env'], write: readonly string[]): readonly string[] {
  const caches = cacheFolders(env.HOME ?? homedir());
  return [...caches, ...write].filter((folder) => !`${folder}/`.startsWith(`${root}/`));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
