import { spawn } from 'node:child_process';
import { findProgram } from './program.ts';

/**
 * Whether the file system at `folder` says anything within `limit` milliseconds; an error is an answer. A child asks, because
 * whoever asks a dead one waits until it comes back: a thread of ours could then never end. True where no child can.
 */
export function answers(folder: string, limit: number): Promise<boolean> {
  const stat = findProgram('stat');
  if (stat === undefined) return Promise.resolve(true);
  return new Promise((done) => {
    const child = spawn(stat, ['-f', '--', folder], { cwd: '/', env: {}, stdio: 'ignore' });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.unref();
      done(false);
    }, limit);
    const end = () => {
      clearTimeout(timer);
      done(true);
    };
    child.once('error', end);
    child.once('exit', end);
  });
}
