import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/repository.ts';
import { bench } from './support.ts';

async function judged(root: string, command: string) {
  const { policy, sh } = bench({ bash: 'allow' }, {}, { root });
  await policy.prepare(sh(command));
  const { decision, reason } = policy.judge(sh(command));
  return { decision, reason };
}

const stored = 'git would store the content of .env, whose reading is denied. Ignore it first';

describe('git is asked before it takes in a file whose reading is denied', () => {
  const withNew = () => {
    const root = repository({ 'a.txt': '', 'src/b.txt': '' });
    writeFileSync(join(root, '.env'), 'KEY=hunter2hunter2\n');
    return root;
  };

  test.each(['git add .', 'git add -A', 'git add --all', 'git stash -u', 'git add . && git commit -m x'])(
    'a new one: %s',
    async (command) => expect(await judged(withNew(), command)).toEqual({ decision: 'ask', reason: stored }),
  );

  test.each(['git add src', 'git add a.txt', 'git add -u', 'git commit -am x', 'git add -n .', "git add . ':!.env'"])(
    'not where it is left out: %s',
    async (command) => expect(await judged(withNew(), command)).toMatchObject({ decision: 'allow' }),
  );

  test('not when it is ignored', async () => {
    const root = repository({ '.gitignore': '.env\n' });
    writeFileSync(join(root, '.env'), 'KEY=hunter2hunter2\n');
    expect(await judged(root, 'git add -A')).toMatchObject({ decision: 'allow' });
  });

  test.each(['git commit -a -m x', 'git commit -am x', 'git add -u', 'git add .'])(
    'one that is tracked: %s',
    async (command) => {
      const root = repository({ '.env': 'KEY=1\n' });
      expect(await judged(root, command)).toEqual({ decision: 'ask', reason: stored });
    },
  );
});
