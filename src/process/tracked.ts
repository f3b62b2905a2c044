import { execFile } from 'node:child_process';
import { devNull } from 'node:os';

/**
 * The files that git tracks below `top`, a working tree's top folder: names as bytes, sorted, each ended by a NUL.
 * Reads the index only and runs nothing that the repository names. Undefined without git or when the index can't be read.
 */
export function trackedNames(top: string, signal: AbortSignal): Promise<Buffer | undefined> {
  return new Promise((done) => {
    const options = { cwd: top, env: quietEnvironment(), encoding: 'buffer' as const, maxBuffer: 1 << 30, signal };
    execFile('git', [...quiet, 'ls-files', '-z', '--cached'], options, (error, stdout) =>
      done(error === null ? stdout : undefined),
    );
  });
}

const quiet = [
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
  '-c',
  'safe.directory=*',
];

function quietEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}
