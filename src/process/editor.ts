import { spawn } from 'node:child_process';
import { ToolError } from '../base/error.ts';

/**
 * Runs the person's editor (`VISUAL`, `EDITOR`, else `vi`; `notepad` on Windows) on a file, in this terminal, until it is
 * closed. Throws `failed` when it can't be started or does not end well.
 */
export async function runEditor(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const windows = process.platform === 'win32';
  const editor = env.VISUAL || env.EDITOR || (windows ? 'notepad' : 'vi');
  // The variable may hold arguments, as git and others read it: the shell takes it apart, the file stays one word.
  const child = windows
    ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true, env })
    : spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit) => resolve(exit ?? 1));
  });
  if (code !== 0) throw new ToolError('failed', `The editor (${editor}) ended with ${code}. Nothing was changed.`);
}
