import { execFileSync } from 'node:child_process';
import { tempFolder } from './folders.ts';

/** Settings that make a test's repository the same for everybody. */
const environment = {
  GIT_AUTHOR_NAME: 'Dev',
  GIT_AUTHOR_EMAIL: 'dev@example.test',
  GIT_COMMITTER_NAME: 'Dev',
  GIT_COMMITTER_EMAIL: 'dev@example.test',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** Runs a script of bash in a folder, with git ready to commit. */
export function sh(folder: string, script: string): string {
  const env = { ...process.env, ...environment };
  return execFileSync('bash', ['-euc', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A repository whose branch is `main`: the files are committed as `first`, then the script runs. */
export function repository(files: Record<string, string | Buffer>, script = ''): string {
  const folder = tempFolder(files);
  sh(folder, 'git init -q -b main . && git add -A && git commit -q --allow-empty -m first');
  if (script !== '') sh(folder, script);
  return folder;
}
