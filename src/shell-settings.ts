import type { Config } from './config/schema.ts';
import type { DeniedFile } from './extend/denied-files.ts';
import { childEnvironment } from './process/environment.ts';
import { openSandbox, type Sandbox } from './process/sandbox.ts';
import type { Masker } from './process/text-filter.ts';
import type { ShellSettings } from './tools/command.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface ShellSources {
  readonly workspace: Workspace;
  /** The folder for whole outputs, `@output` to the model. */
  readonly outputs: string | undefined;
  readonly mask: () => Masker;
  readonly denied: () => readonly DeniedFile[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox?: Config['sandbox'];
}

/** How commands run in this session: their environment, their sandbox, and what is hidden of what they print. */
export function shellSettings({
  workspace,
  outputs,
  mask,
  denied,
  env,
  sandbox: wanted = {},
}: ShellSources): ShellSettings {
  const { mode = 'auto', network = true, write = [], secrets = 'mask' } = wanted;
  const hide = () => (secrets === 'hide' ? denied().map(({ path }) => path) : []);
  let sandbox: Promise<Sandbox> | undefined;
  return {
    ...(outputs === undefined ? {} : { outputs }),
    mask,
    env: () => childEnvironment(env),
    sandbox: () => {
      sandbox ??= openSandbox({ mode, root: workspace.root.real, network, write, hide });
      return sandbox;
    },
  };
}
