import { capture } from './capture.ts';
import { hardenedEnvironment } from './git.ts';

/**
 * The files that git tracks below `top`, a working tree's top folder: names as bytes, sorted, each ended by a NUL.
 * Reads the index only and runs nothing that the repository names. Undefined without git or when the index can't be read.
 */
export async function trackedNames(top: string, signal: AbortSignal): Promise<Buffer | undefined> {
  // Whoever owns the repository: nothing in it can run. Git older than 2.31 doesn't know the environment's settings.
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*'];
  const args = ['--no-optional-locks', ...settings, 'ls-files', '-z', '--cached'];
  try {
    const { code, stdout, total } = await capture({
      file: 'git',
      args,
      cwd: top,
      env: hardenedEnvironment(),
      maxBytes,
      signal,
    });
    return code === 0 && total <= maxBytes ? stdout : undefined;
  } catch {
    return undefined;
  }
}

const maxBytes = 1 << 30;
