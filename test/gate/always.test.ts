import { expect, test } from 'vitest';
import { createGrants } from '../../src/gate/grants.ts';
import { bench } from './support.ts';

test.each([
  ['git log -1', 'git log *'],
  ['git status', 'git status *'],
  ['npm test', 'npm test *'],
  ['npm run build -- --x', 'npm run build *'],
  ['gh pr view 3', 'gh pr view *'],
  ['cargo test', 'cargo test *'],
  ['ls -la src', 'ls *'],
  ['make check', 'make check *'],
  ['touch new', 'touch *'],
  ['CI=1 npm test', 'npm test *'],
  ['/usr/bin/git log', 'git log *'],
  ['git', 'git'],
  ['git -C src log', 'git -C src log'],
  ['make', 'make'],
  ['rm a.txt', 'rm a.txt'],
  ['mv a b', 'mv a b'],
  ['curl https://example.com', 'curl https://example.com'],
  ['sed -i s/a/b/ a.txt', 'sed -i s/a/b/ a.txt'],
  ['git log > out', 'git log > out'],
  ['git status && npm test', 'git status && npm test'],
  ['git log | head', 'git log | head'],
])('always for %s is %s, and then holds for it', (command, pattern) => {
  const { policy, sh } = bench({ bash: { '*': 'ask' } }, { 'a.txt': '', 'src/a': '' });
  expect(policy.judge(sh(command))).toMatchObject({ decision: 'ask', always: pattern });
  policy.grant('bash', pattern);
  expect(policy.judge(sh(command))).toMatchObject({ decision: 'allow', by: `grant: ${pattern}` });
});

test.each([
  'python3 x.py',
  'node x.js',
  'bash x.sh',
  'sh -c ls',
  'sudo ls',
  'env ls',
  'npx eslint',
  'xargs ls',
  'eval ls',
  'ssh host ls',
  'docker run x',
  'git log; python3 x.py',
  '$X',
  'cat /etc/passwd',
  'git -c a=b log',
  'rm -rf src',
  'rm *.txt',
  'find . -exec ls ;',
  'uv run x',
  'git log && rm *.txt',
  'timeout 5 git log',
  'source x',
  'LD_PRELOAD=x ls',
  'ls\nls',
])('always is not offered for %s', (command) => {
  const { policy, sh } = bench({}, { 'src/a': '' });
  const verdict = policy.judge(sh(command));
  expect([verdict.decision, verdict.always]).toEqual(['ask', undefined]);
});

test('the shiro dialect offers the program alone', () => {
  const { policy, sh } = bench({}, {}, { alwaysStyle: 'command' });
  expect(policy.judge(sh('git status --porcelain')).always).toBe('git *');
  expect(policy.judge(sh('python3 x.py')).always).toBeUndefined();
  policy.grant('bash', 'git *');
  expect(policy.judge(sh('git log')).decision).toBe('allow');
  expect(policy.judge(sh('npm publish')).decision).toBe('ask');
});

test('a grant never lifts a row that it does not name', () => {
  const { policy, sh } = bench({ bash: { '*': 'ask', 'git push *': 'ask', 'git tag *': 'deny' } });
  expect(policy.judge(sh('git push')).always).toBe('git push *');
  policy.grant('bash', 'git *');
  expect(policy.judge(sh('git log')).decision).toBe('allow');
  expect(policy.judge(sh('git push')).decision).toBe('ask');
  expect(policy.judge(sh('git tag x')).decision).toBe('deny');
  policy.grant('bash', 'git push *');
  expect(policy.judge(sh('git push')).decision).toBe('allow');
});

test('a grant for one part of a line does not carry the rest', () => {
  const { policy, decide } = bench();
  policy.grant('bash', 'git *');
  expect(decide('git log; npm publish')).toBe('ask');
  expect(decide('git log > a')).toBe('ask');
  expect(decide('git -c a=b log')).toBe('ask');
});

test('files are granted by path, foreign tools by name', () => {
  const { policy, file } = bench();
  const write = file('write_file', 'write', 'src/a.ts');
  expect(policy.judge(write).always).toBe('src/a.ts');
  policy.grant('write_file', 'src/a.ts');
  expect(policy.judge(write)).toMatchObject({ decision: 'allow', by: 'grant: src/a.ts' });
  expect(policy.judge(file('edit_file', 'write', 'src/a.ts')).decision).toBe('ask');
  expect(policy.judge(file('write_file', 'write', 'src/b.ts')).decision).toBe('ask');
  const foreign = { kind: 'execute' as const, tool: 'mcp__a__b', arguments: { x: 1 } };
  const call = { tool: 'mcp__a__b', readOnly: false, subject: 'x', effects: [foreign], arguments: { x: 1 } };
  expect(policy.judge(call).always).toBe('*');
  policy.grant('mcp__a__b', '*');
  expect(policy.judge(call).decision).toBe('allow');
  expect(policy.judge({ ...call, tool: 'mcp__a__c' }).decision).toBe('ask');
});

test('grants end after their uses or minutes, are listed and revoked', () => {
  let now = 1000;
  const grants = createGrants({ now: () => now });
  const { policy, decide } = bench({}, {}, { grants });
  const twice = grants.add({ tool: 'bash', pattern: 'ls *', uses: 2 });
  grants.add({ tool: 'bash', pattern: 'git *', minutes: 5 });
  const kept = grants.add({ tool: 'bash', pattern: 'npm *' });
  expect(grants.list().map(({ id, pattern }) => [id, pattern])).toEqual([
    ['1', 'ls *'],
    ['2', 'git *'],
    ['3', 'npm *'],
  ]);
  expect(policy.explain({ tool: 'bash', readOnly: false, subject: 'x', effects: [], arguments: {} }).decision).toBe(
    'ask',
  );
  expect(twice.uses).toBe(2);
  expect([decide('ls'), decide('ls -l'), decide('ls')]).toEqual(['allow', 'allow', 'ask']);
  expect(decide('git log')).toBe('allow');
  now += 5 * 60_000;
  expect(decide('git log')).toBe('ask');
  expect(decide('npm test')).toBe('allow');
  expect(grants.revoke(kept.id)).toBe(true);
  expect(grants.revoke(kept.id)).toBe(false);
  expect(decide('npm test')).toBe('ask');
  expect(grants.list()).toEqual([]);
});

test('asking why uses up no grant', () => {
  const grants = createGrants();
  const { policy, sh } = bench({}, {}, { grants });
  grants.add({ tool: 'bash', pattern: 'ls *', uses: 1 });
  for (let times = 0; times < 3; times += 1) expect(policy.explain(sh('ls')).decision).toBe('allow');
  expect(policy.judge(sh('ls')).decision).toBe('allow');
  expect(policy.judge(sh('ls')).decision).toBe('ask');
});
