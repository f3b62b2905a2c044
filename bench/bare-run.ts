import { spawn } from 'node:child_process';
import type { Invocation } from '../src/process/shell.ts';

/** Runs a program with nothing around it: both pipes are read and thrown away. */
export function bareRun(
  { file, args }: Invocation,
  place: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', () => {});
    child.stderr.on('data', () => {});
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
