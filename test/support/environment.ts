import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A home of the tests' own: login shells read no profile of whoever runs them, git no configuration of theirs, and
 * nothing is kept among their files.
 */
const home = join(tmpdir(), `benchdog-test-home-${process.getuid?.() ?? 'user'}`);
mkdirSync(home, { recursive: true });
Object.assign(process.env, {
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  GIT_AUTHOR_NAME: 'Dev',
  GIT_AUTHOR_EMAIL: 'dev@example.test',
  GIT_COMMITTER_NAME: 'Dev',
  GIT_COMMITTER_EMAIL: 'dev@example.test',
});
