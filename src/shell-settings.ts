import type { Config } from './config/schema.ts';
import { deniedFiles } from './extend/denied-files.ts';
import { childEnvironment } from './process/environment.ts';
import { masker } from './process/mask.ts';
import { openSandbox, type Sandbox } from './process/sandbox.ts';
import { ownSecretValues, secretValues } from './process/secret-values.ts';
import type { ShellSettings } from './tools/command.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface ShellSources {
  readonly workspace: Workspace;
  /** The folder for whole outputs, `@output` to the model. */
  readonly outputs: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
}

/** How commands run in this session: their environment, their sandbox, and what is hidden of what they print. */
export function shellSettings({ workspace, outputs, env, config }: ShellSources): ShellSettings {
  const denied = deniedFiles(workspace);
  const own = ownSecretValues(env);
  const { mode = 'auto', network = true, write = [], secrets = 'mask' } = config.sandbox ?? {};
  const hide = () => (secrets === 'hide' ? denied().map(({ path }) => path) : []);
  let sandbox: Promise<Sandbox> | undefined;
  return {
    outputs,
    env: () => childEnvironment(env),
    mask: () => masker([...own, ...denied().flatMap(({ text }) => secretValues(text))]),
    sandbox: () => {
      sandbox ??= openSandbox({ mode, root: workspace.root.real, network, write, hide });
      return sandbox;
    },
  };
}
