import { ToolError } from '../base/error.ts';
import { bubblewrap } from './bubblewrap.ts';
import { none, type Sandbox, type SandboxOptions } from './confinement.ts';
import { seatbelt } from './seatbelt.ts';

export type { Sandbox, SandboxOptions } from './confinement.ts';

/** Finds out, once a process, what this machine offers. Throws `failed` when a sandbox is required and there is none. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.mode === 'off') return none('switched off');
  if (options.root === '/') return required(options, none('the workspace is the whole file system'));
  return required(options, process.platform === 'darwin' ? seatbelt(options) : await bubblewrap(options));
}

function required({ mode }: SandboxOptions, found: Sandbox): Sandbox {
  if (found.name !== 'none' || mode !== 'require') return found;
  throw new ToolError('failed', `A sandbox is required and there is none: ${found.reason}. Nothing was run.`);
}
