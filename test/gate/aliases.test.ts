import { describe, expect, test } from 'vitest';
import { bench, type Permission } from './support.ts';

const open: Permission = { bash: 'allow', write_file: 'allow', delete_file: 'allow' };
const files = { '.env': 'A=hunter2hunter2', 'x.txt': '', 'src/a.ts': '', '.git/HEAD': '', '.git/hooks/a.sample': '' };

describe('a link that the line itself makes is followed before it is there', () => {
  test.each([
    'ln -s .git/hooks h && echo x > h/pre-commit',
    'ln -s .git h; cp x.txt h/hooks/pre-commit',
    'ln -s .git g; ln -s g/hooks h; echo x > h/pre-commit',
    'ln -sfn "$PWD/.git/hooks" h; cd h; echo x > pre-commit',
    'for i in 1 2; do cp x.txt h/pre-commit; ln -s .git/hooks h; done',
    'ln -s ../.git/hooks src/h; tee src/h/x < x.txt',
    'ln -s -t src ../.git; echo x > src/.git/hooks/x',
    'cd src; ln -s ../.git/hooks; echo x > hooks/pre-commit',
    'd=.git; ln -s $d h; echo x > h/hooks/x',
    'ln -s .git/hooks /tmp/h && echo x > /tmp/h/pre-commit',
    "bash -c 'ln -s .git/hooks h'; sh -c 'echo x > h/x'",
  ])('%s', (command) => {
    const { policy, sh } = bench(open, files, { approve: 'all' });
    expect(policy.judge(sh(command))).toMatchObject({ decision: 'deny', by: 'protect: git' });
  });

  test.each(['ln -s src s && touch s/b.ts', 'ln -s src s; cat s/a.ts > x.txt'])('%s is allowed', (command) =>
    expect(bench(open, files).decide(command)).toBe('allow'),
  );
});

describe('a denied file is read where a copying or git command takes it in', () => {
  test.each([
    'cp -t src .env',
    'cp --target-directory=src .env',
    'mv -t src .env',
    'install -t src .env',
    'ln -t src .env',
    'ln -s .env',
    'git archive --add-file=.env HEAD',
    'git config -f .env -l',
    'git config --file=.env --list',
    'git apply .env',
    'git am .env',
    'git grep -f .env',
    'git blame --contents .env x.txt',
    'git update-index --add .env',
    'git add .env',
    'git add -f -- .env',
    "git add -f '.e*'",
    'git stage ./.env',
    'f=.env; git add "$f"',
  ])('%s', (command) => {
    const { policy, sh } = bench(open, files, { approve: 'all' });
    expect(policy.judge(sh(command))).toMatchObject({ decision: 'deny', by: 'built-in: secrets "*.env"' });
  });

  test.each(['git add -f .', 'git add -Af', 'git add --force src/..'])('%s is asked', (command) => {
    expect(bench(open, files).decide(command)).toBe('ask');
  });

  test.each(['git add -A', 'git add .', 'git add -f src', 'git add -- "$f"', 'cp -t src x.txt', 'git apply x.txt'])(
    '%s is allowed',
    (command) => expect(bench(open, files).decide(command)).toBe('allow'),
  );
});

test("benchdog's rules in a project are changed by nobody but the user", () => {
  const { policy, sh, file } = bench(open, files, { approve: 'all' });
  const refused = {
    decision: 'deny',
    by: 'protect: benchdog',
    reason: '.benchdog/config.json belongs to benchdog. It holds rules for what you do. Ask the user to change it',
  };
  expect(policy.judge(file('write_file', 'write', '.benchdog/config.json'))).toMatchObject(refused);
  expect(policy.judge(sh('echo {} > .benchdog/config.json'))).toMatchObject(refused);
  expect(policy.judge(sh('rm .benchdog/config.json'))).toMatchObject(refused);
});
