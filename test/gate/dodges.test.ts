import { describe, expect, test } from 'vitest';
import { overlaps } from '../../src/gate/overlap.ts';
import { bench } from './support.ts';

const files = { 'x.txt': '', 'src/a.ts': '' };

describe('a deny row is not dodged by options before the sub-command', () => {
  test.each([
    'npm --silent publish',
    'npm -s publish --tag x',
    'npm --loglevel silent publish',
    'npm --loglevel=silent publish',
    'npm --prefix . -s publish',
    'sudo -u root npm --silent publish',
    'gh pr -R a/b merge 12',
    'gh --repo a/b pr merge 12',
    'kubectl -n prod delete pod x',
    'kubectl --context c -n prod delete pod x',
  ])('%s', (command) => {
    const rows = { '*': 'allow', 'npm publish*': 'deny', 'gh pr merge*': 'deny', 'kubectl delete *': 'deny' } as const;
    expect(bench({ bash: rows }, files).decide(command)).toBe('deny');
  });

  test.each(['npm --silent test', 'gh pr -R a/b view 12', 'kubectl -n prod get pods', 'npm test -- publish', 'ls -la'])(
    '%s is allowed',
    (command) => {
      const rows = { '*': 'allow', 'npm publish*': 'deny', 'kubectl delete *': 'deny', ls: 'deny' } as const;
      expect(bench({ bash: rows }, files).decide(command)).toBe('allow');
    },
  );
});

describe('what is known only when it runs may be what a row refuses', () => {
  test.each([
    'npm $(echo publish)',
    'npm p*blish',
    'npm "$x"',
    'npm pub$x',
    'echo publish | xargs npm',
    'xargs -I{} npm {} < x.txt',
    'git push origin "$b"',
  ])('%s is asked', (command) => {
    const { policy, sh } = bench({ bash: { '*': 'allow', 'npm publish*': 'deny', 'git push * main': 'deny' } }, files);
    expect(policy.judge(sh(command)).decision).toBe('ask');
  });

  test('the row is named', () => {
    const { policy, sh } = bench({ bash: { '*': 'allow', 'npm publish*': 'deny' } }, files);
    expect(policy.judge(sh('npm $(echo publish)'))).toMatchObject({
      decision: 'ask',
      by: 'permission.bash["npm publish*"]',
      reason: 'what it runs is known only when it runs, and may be this',
    });
  });

  test.each(['npm test "$x"', 'echo "$x"', 'git commit -m "$m"', 'npm run "$x"', 'cat src/*.ts'])(
    '%s is allowed: no refusing row can mean it, or a later one allows all of it',
    (command) => {
      const rows = {
        '*': 'allow',
        'npm *': 'ask',
        'npm publish*': 'deny',
        'npm run *': 'allow',
        'npm test *': 'allow',
      };
      expect(
        bench({ bash: { ...(rows as Record<string, 'allow'>), '*--force*': 'deny' } }, files).decide(command),
      ).toBe('allow');
    },
  );
});

test.each([
  ['npm publish*', 'npm *', true],
  ['npm publish*', 'npm p\u0001blish', true],
  ['npm publish*', 'npm test *', false],
  ['npm publish *', 'npm pub*', true],
  ['rm -rf *', 'rm \u0001.tmp', false],
  ['rm ? x', 'rm * x', true],
  ['a*b', '*c', false],
  ['a*b', 'a*c*b', true],
  ['', '*', true],
  ['x', '', false],
])('overlaps(%j, %j) is %s', (pattern, command, expected) => expect(overlaps(pattern, command)).toBe(expected));

describe('code that comes through an open handle is code from the input', () => {
  test.each([
    "sh /dev/stdin <<< 'cat .en*'",
    'bash /dev/./fd/3 3<<< id',
    'bash <(echo id)',
    'bash -- <(echo id)',
    'echo x | python3 /dev/stdin',
    "python3 <(echo 'x')",
    'perl /dev//stdin <<< x',
    'node /proc/self/fd/0 < x.txt',
    'source /dev/stdin <<< id',
  ])('%s is asked', (command) => {
    expect(bench({ bash: 'allow' }, files).decide(command)).toBe('ask');
  });

  test.each(['diff <(sort x.txt) <(ls)', 'comm -12 <(ls) x.txt', 'while read -r l; do echo "$l"; done < <(ls)'])(
    '%s only reads what another command prints',
    (command) => expect(bench({ bash: 'allow' }, files).decide(command)).toBe('allow'),
  );

  test.each(['bash x.sh', 'python3 x.py', 'cat /dev/stdin', 'cat <(ls)'])('%s is allowed', (command) => {
    expect(bench({ bash: 'allow' }, files).decide(command)).toBe('allow');
  });
});

test.each([
  ['GIT_PAGER=cat git log -3', 'allow'],
  ['PAGER= git log -3', 'allow'],
  ['GIT_PAGER=less git log -3', 'ask'],
  ['GIT_PAGER+=cat git log -3', 'ask'],
  ['PAGER="$x" git log -3', 'ask'],
  ['GIT_EDITOR=cat git commit', 'ask'],
] as const)('%s is %s: only a pager that is switched off is harmless', (command, expected) => {
  expect(bench({ bash: 'allow' }, files).decide(command)).toBe(expected);
});
