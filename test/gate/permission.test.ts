import { expect, test } from 'vitest';
import { checkExamples, flagRow, permissionSchema, rowsOf } from '../../src/gate/permission.ts';

test('a section becomes rows in the order they are written, each with its place', () => {
  const section = permissionSchema.parse({
    write_file: 'ask',
    bash: {
      '*': 'ask',
      'git *': { decision: 'allow', reason: 'reads', examples: { match: ['git log'], not: ['gitk'] } },
    },
  });
  const line = (tool: string, pattern?: string) => ({ write_file: 1, '*': 3, 'git *': 4 })[pattern ?? tool];
  expect(rowsOf(section, { file: 'c.json', line, untrusted: true })).toEqual([
    { tool: 'write_file', pattern: '*', decision: 'ask', origin: { file: 'c.json', line: 1 }, untrusted: true },
    { tool: 'bash', pattern: '*', decision: 'ask', origin: { file: 'c.json', line: 3 }, untrusted: true },
    {
      tool: 'bash',
      pattern: 'git *',
      decision: 'allow',
      reason: 'reads',
      examples: { match: ['git log'], not: ['gitk'] },
      origin: { file: 'c.json', line: 4 },
      untrusted: true,
    },
  ]);
});

test.each([
  [{ bash: 'maybe' }],
  [{ bash: { '*': 'no' } }],
  [{ bash: { '*': { decision: 'allow', why: 'x' } } }],
  [{ bash: null }],
  [[]],
])('refuses %j', (section) => {
  expect(permissionSchema.safeParse(section).success).toBe(false);
});

test('examples are held against their row', () => {
  const rows = rowsOf({
    bash: {
      'git *': { decision: 'allow', examples: { match: ['git log', 'git', 'npm x'], not: ['git push', 'gitk'] } },
    },
    read_file: { '*.env': { decision: 'deny', examples: { match: ['a/.env'], not: ['.envrc'] } } },
  });
  expect(checkExamples(rows).map(({ message }) => message)).toEqual([
    'permission.bash["git *"] does not match its example "npm x". Change the pattern or the example.',
    'permission.bash["git *"] matches its example "git push". Change the pattern or the example.',
  ]);
});

test('flags are rows', () => {
  expect(flagRow('allow', 'bash:git *')).toEqual({
    tool: 'bash',
    pattern: 'git *',
    decision: 'allow',
    origin: { file: '--allow' },
  });
  expect(flagRow('deny', 'bash:a:b')).toMatchObject({ tool: 'bash', pattern: 'a:b' });
  expect(flagRow('deny', 'mcp__*')).toMatchObject({ tool: 'mcp__*', pattern: '*', decision: 'deny' });
  expect(flagRow('deny', ':x')).toBeUndefined();
});
