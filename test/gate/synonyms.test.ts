import { describe, expect, test } from 'vitest';
import { bench } from './support.ts';

describe('a deny row is not dodged by another word for its sub-command', () => {
  test.each([
    ['npm publish*', 'npm publ'],
    ['npm publish*', 'npm pub --tag x'],
    ['npm publish*', 'sudo npm --silent publis'],
    ['npm install *', 'npm i left-pad'],
    ['npm install *', 'npm isntall left-pad'],
    ['npm install *', 'npm add left-pad'],
    ['npm uninstall *', 'npm rm left-pad'],
    ['npm rm *', 'npm uninstall left-pad'],
    ['npm rm *', 'npm un left-pad'],
    ['npm run deploy*', 'npm rum deploy'],
    ['npm run deploy*', 'npm run-script deploy'],
    ['npm run deploy*', 'npm runScript deploy'],
    ['npm test*', 'npm run test'],
    ['npm test*', 'npm t'],
    ['npm run test*', 'npm tst'],
    ['yarn deploy*', 'yarn run deploy'],
    ['yarn run deploy*', 'yarn deploy --now'],
    ['pnpm add *', 'pnpm add x'],
    ['pnpm remove *', 'pnpm rm x'],
    ['docker rm *', 'docker container rm c'],
    ['docker rm *', 'docker container remove c'],
    ['docker container *', 'docker rm c'],
    ['docker rmi *', 'docker image rm i'],
    ['docker image *', 'docker rmi i'],
    ['docker ps*', 'docker container ls'],
    ['kubectl get secret*', 'kubectl get secrets'],
    ['kubectl edit namespaces *', 'kubectl edit ns prod'],
    ['gh pr create*', 'gh pr new --fill'],
    ['cargo test*', 'cargo t'],
    ['cargo remove *', 'cargo rm serde'],
    ['git add *', 'git stage a.ts'],
    ['gem push *', 'gem pus x.gem'],
    ['hg push*', 'hg pus'],
    ['composer require *', 'composer req a/b'],
    ['svn commit*', 'svn ci -m x'],
  ])('%s, %s', (row, command) => {
    expect(bench({ bash: { '*': 'allow', [row]: 'deny' } }).decide(command)).toBe('deny');
  });

  test.each([
    ['npm publish*', 'npm pack'],
    ['npm publish*', 'npm prune'],
    ['npm install *', 'npm install-test'],
    ['yarn run *', 'yarn install'],
    ['docker rm *', 'docker run img'],
    ['kubectl get secret*', 'kubectl get po'],
    ['git add *', 'git status'],
  ])('%s says nothing of %s', (row, command) => {
    expect(bench({ bash: { '*': 'allow', [row]: 'deny' } }).decide(command)).toBe('allow');
  });

  test('an allow row still means what it says', () => {
    const { decide } = bench({ bash: { 'npm install *': 'allow', 'docker rm *': 'allow' } });
    expect(['npm install x', 'npm i x', 'docker rm c', 'docker container rm c'].map((one) => decide(one))).toEqual([
      'allow',
      'ask',
      'allow',
      'ask',
    ]);
  });

  test.each(['npm exe rimraf x', 'npm run-s build', 'npm conf set script-shell ./x', 'npm x rimraf x'])(
    'what it runs is looked at: %s',
    (command) => {
      const files = { 'package.json': JSON.stringify({ scripts: { build: 'rimraf dist' } }) };
      const rows = { '*': 'allow', 'rimraf *': 'deny' } as const;
      expect(bench({ bash: rows }, files).decide(command)).not.toBe('allow');
    },
  );

  test.each(['npm unpub x', 'helm delete x', 'helm un x', 'kubectl delete ns prod', 'docker volume remove v'])(
    'nor is the guard: %s',
    (command) => {
      const { policy, sh } = bench({ bash: 'allow' }, {}, { approve: 'all' });
      expect(policy.judge(sh(command))).toMatchObject({ decision: 'deny', by: expect.stringMatching(/^guard: /) });
    },
  );
});
