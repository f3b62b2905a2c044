import { expect, test } from 'vitest';
import { withShadow } from '../../src/gate/shadow.ts';
import { bench } from './support.ts';

test('every effect is named with what decided it and what would change it', () => {
  const { policy, sh } = bench({ bash: { '*': 'ask', 'git *': 'allow' } }, { '.env': '' });
  expect(policy.explain(sh('git log > a; cat .env; git reset --hard'))).toEqual({
    decision: 'deny',
    by: 'guard: git reset --hard',
    reason: 'it throws away work that is not committed. Commit or stash first, or undo single files',
    effects: [
      expect.objectContaining({
        kind: 'execute',
        subject: 'git reset --hard',
        decision: 'deny',
        by: 'guard: git reset --hard',
      }),
      { kind: 'execute', subject: 'git log', decision: 'allow', by: 'permission.bash["git *"]' },
      { kind: 'execute', subject: 'cat .env', decision: 'ask', by: 'permission.bash["*"]' },
      expect.objectContaining({ kind: 'read', subject: '.env', decision: 'deny', by: 'built-in: secrets "*.env"' }),
      { kind: 'execute', subject: 'git reset --hard', decision: 'allow', by: 'permission.bash["git *"]' },
      {
        kind: 'write',
        subject: 'a',
        decision: 'ask',
        by: 'default: bash is asked',
        reason: 'no row covers that it writes a',
      },
    ],
    change: [
      '"plugins": ["-guard"] in the user\'s own configuration would switch the guard off; no row lifts it.',
      'Change or remove the row permission.bash["*"], or put a later row that matches "cat .env" behind it.',
      'A row "read_file": { "*.env": "allow" } would let it be read.',
      'A row for this very line, or for everything, would allow it.',
    ],
  });
});

test('an allowed call needs no change', () => {
  const { policy, file } = bench();
  expect(policy.explain(file('read_file', 'read', 'a'))).toEqual({
    decision: 'allow',
    by: 'default: read_file is allowed',
    effects: [{ kind: 'read', subject: 'a', decision: 'allow', by: 'default: read_file is allowed' }],
    change: [],
  });
});

test.each<[string, Parameters<typeof bench>[2], string]>([
  ['npm test', {}, 'A row "bash": { "npm test": "allow" } would allow it.'],
  ['npm test', { readOnly: true }, 'Run without --plan.'],
  ['npm test', { approve: 'none' }, 'Run where somebody can be asked, or allow it by a row.'],
  ['$X', {}, 'No row lifts it: write the command so that it can be read, or approve it each time.'],
])('%s under %j: %s', (command, options, advice) => {
  const { policy, sh } = bench({}, {}, options);
  expect(policy.explain(sh(command)).change).toContain(advice);
});

test('a shadow policy decides nothing; where it differs, that is told', () => {
  const strict = bench({ bash: { '*': 'ask', 'git *': 'allow' } });
  const loose = bench({ bash: 'allow' }, {}, { root: strict.root });
  const told: unknown[] = [];
  const policy = withShadow(strict.policy, loose.policy, (difference) => told.push(difference));
  expect(policy.judge(strict.sh('git log')).decision).toBe('allow');
  expect(policy.judge(strict.sh('npm test')).decision).toBe('ask');
  expect(told).toEqual([
    {
      tool: 'bash',
      subject: 'npm test',
      decision: 'ask',
      by: 'permission.bash["*"]',
      shadow: 'allow',
      shadowBy: 'permission.bash["*"]',
    },
  ]);
  policy.grant('bash', 'npm test *');
  expect(policy.judge(strict.sh('npm test')).decision).toBe('allow');
  expect(told).toHaveLength(1);
});
