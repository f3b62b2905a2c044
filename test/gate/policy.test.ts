import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPolicy } from '../../src/gate/policy.ts';
import { openRoot, resolvePath } from '../../src/workspace/path.ts';
import { bench, type Permission, rows } from './support.ts';

test('reading and own state are allowed, changing and running are asked, without any row', () => {
  const { policy, file, decide } = bench();
  expect(policy.judge(file('read_file', 'read', 'a.txt'))).toMatchObject({
    decision: 'allow',
    by: 'default: read_file is allowed',
  });
  for (const tool of ['write_file', 'edit_file', 'multi_edit', 'apply_patch']) {
    expect(policy.judge(file(tool, 'write', 'a.txt')).decision).toBe('ask');
  }
  expect(policy.judge(file('delete_file', 'delete', 'a.txt')).decision).toBe('ask');
  expect(decide('git status')).toBe('ask');
  for (const tool of ['todo_write', 'remember', 'recall', 'forget', 'skill', 'ask', 'task']) {
    const call = { tool, readOnly: false, subject: 'x', effects: [], arguments: {} };
    expect(policy.judge(call).decision).toBe('allow');
  }
  const foreign = { kind: 'execute' as const, tool: 'mcp__a__b', arguments: {} };
  for (const effects of [[], [foreign]]) {
    const call = { tool: 'mcp__a__b', readOnly: true, subject: 'x', effects, arguments: {} };
    expect(policy.judge(call).decision).toBe('ask');
  }
});

test.each([
  '.env',
  'prod.env',
  'sub/.env',
  '.env.local',
  'sub/dev.env.old',
  'cert.pem',
  'keys/id_rsa',
  'id_ed25519',
  '.ENV',
  'Prod.Env',
  'CERT.PEM',
])('reading %s is denied', (path) => {
  const { policy, file, root } = bench();
  const verdict = policy.judge(file('read_file', 'read', path));
  expect(verdict.decision).toBe('deny');
  expect(verdict.by).toMatch(/^built-in: secrets "/);
  expect(verdict.reason).toContain('hold secrets');
  expect(policy.visible(resolvePath(openRoot(root), path, 'relative'))).toBe(false);
});

test.each(['.env.example', 'sub/.env.example', 'env', 'environment.ts', 'id_rsa.pub'])(
  'reading %s is allowed',
  (path) => {
    const { policy, file, root } = bench();
    expect(policy.judge(file('read_file', 'read', path)).decision).toBe('allow');
    expect(policy.visible(resolvePath(openRoot(root), path, 'relative'))).toBe(true);
  },
);

test('a row for everything does not reopen a built-in denial, a row that names its pattern does', () => {
  expect(read({ read_file: { '*': 'allow' } }, '.env')).toBe('deny');
  expect(read({ read_file: 'allow' }, '.env')).toBe('deny');
  expect(read({ read_file: { '*.env': 'allow' } }, '.env')).toBe('allow');
  expect(read({ read_file: { '*.env': 'ask' } }, '.env')).toBe('ask');
  expect(read({ read_file: { '*.env': 'allow' } }, '.env.local')).toBe('deny');
  expect(read({ write_file: { '*.env': 'allow' } }, '.env')).toBe('deny');
});

test('a denial of reading holds for every tool that reads, an allow only for its own tool', () => {
  const permission = { read_file: { 'secrets/*': 'deny' } } as const;
  for (const tool of ['read_file', 'read_many_files', 'grep', 'git_show', 'edit_file']) {
    const { policy, file } = bench(permission);
    expect(policy.judge(file(tool, 'read', 'secrets/a')).decision).toBe('deny');
  }
  const { policy, file } = bench({ write_file: { '*': 'allow', 'docs/*': 'ask', '*.lock': 'deny' } });
  expect(policy.judge(file('write_file', 'write', 'src/a')).decision).toBe('allow');
  expect(policy.judge(file('edit_file', 'write', 'src/a')).decision).toBe('ask');
  expect(policy.judge(file('edit_file', 'write', 'x.lock')).decision).toBe('deny');
  const edits = bench({ write_file: { 'docs/*': 'ask' }, edit_file: 'allow' });
  expect(edits.policy.judge(edits.file('edit_file', 'write', 'src/a')).decision).toBe('allow');
  expect(edits.policy.judge(edits.file('edit_file', 'write', 'docs/a')).decision).toBe('ask');
});

test('move_file rows bind writes and deletes', () => {
  const { policy, file } = bench({ move_file: { 'keep/*': 'deny' }, write_file: 'allow', delete_file: 'allow' });
  expect(policy.judge(file('write_file', 'write', 'keep/a')).decision).toBe('deny');
  expect(policy.judge(file('delete_file', 'delete', 'keep/a')).decision).toBe('deny');
});

test('the last matching row of a table wins', () => {
  const table = { '*': 'deny', 'src/*': 'allow', 'src/gen/*': 'ask' } as const;
  const { policy, file } = bench({ write_file: table });
  expect(policy.judge(file('write_file', 'write', 'a')).decision).toBe('deny');
  expect(policy.judge(file('write_file', 'write', 'src/a')).decision).toBe('allow');
  expect(policy.judge(file('write_file', 'write', 'src/gen/a')).decision).toBe('ask');
});

test('over several subjects the strictest answer wins, and it names its row', () => {
  const { policy, file } = bench({ write_file: { '*': 'allow', 'b*': 'deny' } });
  const verdict = policy.judge(file('write_file', 'write', 'a', 'b', 'c'));
  expect(verdict).toMatchObject({ decision: 'deny', by: 'permission.write_file["b*"]' });
  expect(verdict.effects.map((effect) => [effect.subject, effect.decision])).toEqual([
    ['a', 'allow'],
    ['b', 'deny'],
    ['c', 'allow'],
  ]);
});

test('a row names the file and line it came from, and tells its reason', () => {
  const row = { tool: 'bash', pattern: 'npm *', decision: 'deny' as const, reason: 'use pnpm' };
  const { policy, sh } = bench({}, {}, { rows: [{ ...row, origin: { file: '.benchdog/config.json', line: 4 } }] });
  expect(policy.judge(sh('npm test'))).toMatchObject({
    decision: 'deny',
    by: 'permission.bash["npm *"] (.benchdog/config.json:4)',
    reason: 'use pnpm',
  });
});

test('a path is judged by its real and by its given name', () => {
  const { root, policy, file } = bench(
    { read_file: { 'links/*': 'deny' } },
    { '.env': 'K=1', 'real/a': '', 'links/x': '' },
  );
  symlinkSync('.env', join(root, 'notes.txt'));
  symlinkSync('.', join(root, 'loop'));
  symlinkSync('../real', join(root, 'links/into'));
  for (const path of ['notes.txt', 'loop/.env', 'loop/notes.txt', 'links/into/a', 'src/../.env', './.env']) {
    expect([path, policy.judge(file('read_file', 'read', path)).decision]).toEqual([path, 'deny']);
    expect(policy.visible(resolvePath(openRoot(root), path, 'relative'))).toBe(false);
  }
});

test('case is folded where the file system folds it', () => {
  const folding = bench({ write_file: { 'Docs/*': 'deny' } }, {}, { foldsCase: true });
  expect(folding.policy.judge(folding.file('write_file', 'write', 'docs/A')).decision).toBe('deny');
  expect(folding.policy.judge(folding.file('read_file', 'read', '.ENV')).decision).toBe('deny');
  const exact = bench({ write_file: { '*': 'allow', 'Docs/*': 'deny' } }, {}, { foldsCase: false });
  expect(exact.policy.judge(exact.file('write_file', 'write', 'docs/A')).decision).toBe('allow');
});

test('rows of a project nobody trusts only make things stricter', () => {
  const trusted = rows({ write_file: { '*': 'allow', 'b*': 'deny' }, read_file: { '*.pem': 'deny' } });
  const project = rows({ write_file: { '*': 'ask', 'd*': 'deny' }, bash: 'allow', read_file: { '*.env': 'allow' } });
  const all = [...trusted, ...project.map((row) => ({ ...row, untrusted: true }))];
  const { policy, file, decide } = bench({}, {}, { rows: all });
  expect(policy.judge(file('write_file', 'write', 'a')).decision).toBe('ask');
  expect(policy.judge(file('write_file', 'write', 'b')).decision).toBe('deny');
  expect(policy.judge(file('write_file', 'write', 'd')).decision).toBe('deny');
  expect(policy.judge(file('read_file', 'read', '.env')).decision).toBe('deny');
  expect(decide('npm test')).toBe('ask');
});

test('--approve: edits allows edits of the workspace, all allows what is asked, none refuses it; a deny stays', () => {
  const permission = { write_file: { 'no/*': 'deny' } } as const;
  const decisions = (approve: 'ask' | 'edits' | 'all' | 'none') => {
    const { policy, file, decide } = bench(permission, {}, { approve });
    const writes = ['a', 'no/a'].map((path) => policy.judge(file('write_file', 'write', path)).decision);
    return [...writes, decide('npm test')];
  };
  expect(decisions('ask')).toEqual(['ask', 'deny', 'ask']);
  expect(decisions('edits')).toEqual(['allow', 'deny', 'ask']);
  expect(decisions('all')).toEqual(['allow', 'deny', 'allow']);
  expect(decisions('none')).toEqual(['deny', 'deny', 'deny']);
});

test('a subagent has the same rules, and an ask is a denial', () => {
  const { policy, file } = bench({ read_file: { 'private/*': 'ask' } });
  const inner = policy.withApprove('none');
  expect(policy.judge(file('read_file', 'read', 'private/a')).decision).toBe('ask');
  expect(inner.judge(file('read_file', 'read', 'private/a'))).toMatchObject({
    decision: 'deny',
    by: 'permission.read_file["private/*"], under --approve none',
  });
  expect(inner.judge(file('read_file', 'read', 'a')).decision).toBe('allow');
});

test('a run that only plans changes and runs nothing', () => {
  const { policy, file, decide } = bench(
    { bash: 'allow', write_file: 'allow' },
    {},
    { readOnly: true, approve: 'all' },
  );
  expect(policy.judge(file('write_file', 'write', 'a'))).toMatchObject({ decision: 'deny', by: '--plan' });
  expect(decide('ls')).toBe('deny');
  expect(policy.judge(file('read_file', 'read', 'a')).decision).toBe('allow');
});

test('foreign tools are judged by name and by argument', () => {
  const call = (tool: string, args: unknown) => ({
    tool,
    readOnly: false,
    subject: tool,
    effects: [{ kind: 'execute' as const, tool, arguments: args }],
    arguments: args,
  });
  const { policy } = bench({
    bash: { '*': 'ask', '*danger*': 'deny' },
    'mcp__docs__*': { '*': 'allow', '*secret*': 'deny' },
  });
  expect(policy.judge(call('mcp__docs__find', { query: 'plain' })).decision).toBe('allow');
  expect(policy.judge(call('mcp__docs__find', { query: 'the secret', deep: [1] })).decision).toBe('deny');
  expect(policy.judge(call('mcp__docs__find', { run: 'danger' })).decision).toBe('deny');
  expect(policy.judge(call('mcp__other__find', { query: 'plain' })).decision).toBe('ask');
});

test('a bare ask for commands does not overrule what a foreign tool was allowed by name; any other row does', () => {
  const call = { tool: 'mcp__a__b', readOnly: false, subject: 'x', effects: [], arguments: { x: 'danger' } };
  const effects = [{ kind: 'execute' as const, tool: 'mcp__a__b', arguments: { x: 'danger' } }];
  const decide = (bash: NonNullable<Permission[string]>) =>
    bench({ bash, mcp__a__b: 'allow' }).policy.judge({ ...call, effects }).decision;
  expect([decide({ '*': 'ask' }), decide('deny'), decide({ '*': 'ask', '*danger*': 'ask' })]).toEqual([
    'allow',
    'deny',
    'ask',
  ]);
});

test('the root must exist', () => {
  expect(() => createPolicy({ root: '/no/such/folder' })).toThrow(
    'The workspace folder /no/such/folder does not exist.',
  );
});

function read(permission: Parameters<typeof bench>[0], path: string) {
  const { policy, file } = bench(permission);
  return policy.judge(file('read_file', 'read', path)).decision;
}
