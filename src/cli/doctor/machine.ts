import { parse } from 'node:path';
import { capture } from '../../process/capture.ts';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/program.ts';
import { searchEngine } from '../../process/rg.ts';
import { openSandbox, type SandboxMode } from '../../process/sandbox.ts';
import { shellInvocation } from '../../process/shell.ts';
import { findViews } from '../../process/views.ts';
import { openRoot } from '../../workspace/path.ts';
import type { Check } from './check.ts';

/** `version` as Node tells it, `v22.1.0`. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const name = 'node';
  if (major < 20 || (major === 20 && minor < 19)) return { name, state: 'bad', text: `${version}; 20.19 is needed` };
  if (major === 20) {
    return { name, state: 'note', text: `${version}; Node 20 gets no security fixes since April 2026, take 22 or 24` };
  }
  return { name, state: 'ok', text: version };
}

export async function checkGit(): Promise<Check> {
  const file = findProgram('git');
  if (file === undefined) return { name: 'git', state: 'warn', text: 'not on the PATH: the git tools will say so' };
  const cwd = parse(process.cwd()).root;
  const { stdout } = await capture({ file, args: ['--version'], cwd, env: childEnvironment() });
  return { name: 'git', state: 'ok', text: `${stdout.toString().trim().replace('git version ', '')} (${file})` };
}

export function checkSearch(): Check {
  const native = searchEngine().name === 'rg';
  return native
    ? { name: 'search', state: 'ok', text: 'ripgrep, bundled' }
    : { name: 'search', state: 'note', text: 'ripgrep as WebAssembly: the same answers, slower' };
}

/** Opens a sandbox and runs something in it. */
export async function checkSandbox(root: string, mode: SandboxMode): Promise<Check> {
  const name = 'sandbox';
  if (mode === 'off') return { name, state: 'warn', text: 'switched off: commands reach whatever you can reach' };
  try {
    const sandbox = await openSandbox({ mode, root });
    if (sandbox.name === 'none') return { name, state: 'note', text: `none here: ${sandbox.reason}` };
    const { file, args } = sandbox.wrap(shellInvocation('posix', 'exit 0'), root);
    const { code, stderr } = await capture({ file, args, cwd: root, env: childEnvironment() });
    if (code === 0) return { name, state: 'ok', text: `${sandbox.name}, works` };
    return { name, state: 'bad', text: `${sandbox.name} does not run a command: ${stderr.trim()}` };
  } catch (error) {
    return { name, state: 'bad', text: (error as Error).message };
  }
}

/** Makes a view in which a file is deleted and one written. */
export async function checkViews(root: string, home: string): Promise<Check> {
  const name = 'views';
  try {
    const found = await findViews(openRoot(root).real, home);
    if ('reason' in found) return { name, state: 'note', text: `none here, so no previews: ${found.reason}` };
    return { name, state: 'ok', text: 'copy-on-write views work: commands can be previewed' };
  } catch (error) {
    return { name, state: 'note', text: `none here, so no previews: ${(error as Error).message}` };
  }
}
