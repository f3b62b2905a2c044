import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGrantStore } from '../../src/gate/grant-store.ts';
import { createGrants } from '../../src/gate/grants.ts';
import { tempFolder } from '../support/folders.ts';
import { openTestGate } from '../support/gate.ts';
import { bench } from './support.ts';

describe('stored grants', () => {
  const place = () => join(tempFolder(), 'grants', 'x.jsonl');

  test('are there for later sessions, owner-only, listed with the session’s own, and revocable', () => {
    const path = place();
    const first = createGrants({ store: openGrantStore(path) });
    const kept = first.add({ tool: 'bash', pattern: 'git log *', stored: true });
    first.add({ tool: 'bash', pattern: 'ls *' });
    expect(kept).toEqual({
      id: expect.stringMatching(/^s[0-9a-f]{8}$/),
      tool: 'bash',
      pattern: 'git log *',
      stored: true,
    });
    expect(first.list().map(({ pattern }) => pattern)).toEqual(['ls *', 'git log *']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const later = createGrants({ store: openGrantStore(path) });
    expect(later.list()).toEqual([kept]);
    expect(bench({}, {}, { grants: later }).decide('git log -1')).toBe('allow');
    expect(later.revoke(kept.id)).toBe(true);
    expect(later.revoke(kept.id)).toBe(false);
    expect(first.list().map(({ pattern }) => pattern)).toEqual(['ls *']);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('count their uses and end in time over processes', () => {
    let now = 1000;
    const path = place();
    const open = () => createGrants({ store: openGrantStore(path), now: () => now });
    open().add({ tool: 'bash', pattern: 'ls *', uses: 2, stored: true });
    open().add({ tool: 'bash', pattern: 'git *', minutes: 1, stored: true });
    const decide = (command: string) => bench({}, {}, { grants: open() }).decide(command);
    expect([decide('ls'), decide('ls -l'), decide('ls')]).toEqual(['allow', 'allow', 'ask']);
    expect(decide('git log')).toBe('allow');
    now += 60_000;
    expect(decide('git log')).toBe('ask');
  });

  test('what others may write, and what is no grant, allows nothing', () => {
    const path = place();
    const grants = createGrants({ store: openGrantStore(path) });
    grants.add({ tool: 'bash', pattern: 'ls *', stored: true });
    writeFileSync(
      path,
      `${readFileSync(path, 'utf8')}{"id":"x","tool":"bash","pattern":"*"}\nrubbish\n{"id":"s00000000"}\n`,
    );
    expect(grants.list().map(({ pattern }) => pattern)).toEqual(['ls *']);
    if (process.platform === 'win32') return;
    chmodSync(path, 0o666);
    expect(grants.list()).toEqual([]);
  });
});

describe('an always with a pattern of the person’s own', () => {
  test.each([
    ['git log -1', '*', '"*" is too wide: it names no program. Write "PROGRAM *".'],
    ['git log -1', 'gi*', '"gi*" is too wide: it names no program. Write "PROGRAM *".'],
    ['git log -1', 'git *', '"git *" is too wide: it names no sub-command of git.'],
    ['git log -1', 'git l*', '"git l*" is too wide: it names no sub-command of git.'],
    ['npm run build', 'npm run build*', '"npm run build*" is too wide: it names no sub-command of npm.'],
    ['npm run build', 'npm run *', '"npm run *" is too wide: it names no sub-command of npm.'],
    ['git log -1', '?it log *', '"?it log *" is too wide: it names no program. Write "PROGRAM *".'],
    ['git log; ls', 'git log; *', '"git log; *" is too wide: a pattern with * or ? stands for one command.'],
    ['rm a.txt', 'rm *', '"rm *" is too wide: rm can do harm with other arguments. Write the whole command.'],
    [
      'curl http://a.b',
      'curl *',
      '"curl *" is too wide: curl can do harm with other arguments. Write the whole command.',
    ],
    ['python3 x.py', 'python3 x.py', 'python3 runs code that it is given, so it can only be allowed once.'],
    ['sudo ls', 'sudo ls', 'sudo runs code that it is given, so it can only be allowed once.'],
    ['timeout 5 ls', 'timeout *', 'timeout runs code that it is given, so it can only be allowed once.'],
    ['ls -la', '', 'The pattern is empty.'],
    [
      'ls -la',
      'git log *',
      `"git log *" can't be granted: bash ls -la would still be asked by default: bash is asked.`,
    ],
    ['ls /etc', 'ls *', `"ls *" can't be granted: bash ls /etc would still be asked by built-in: shell.`],
  ])('%s: %s is refused', (command, pattern, problem) => {
    const { policy, sh } = bench({}, { 'a.txt': '' });
    expect(policy.grantProblem(sh(command), pattern)).toBe(problem);
  });

  test.each([
    ['git log -1', 'git log *'],
    ['git log --oneline -1', 'git log --oneline*'],
    ['git log -1', 'git log -?'],
    ['ls -la', 'ls -*'],
    ['rm a.txt', 'rm a.txt'],
    ['git log > out', 'git log > out'],
  ])('%s: %s is granted', (command, pattern) => {
    const { policy, sh } = bench({}, { 'a.txt': '' });
    expect(policy.grantProblem(sh(command), pattern)).toBeUndefined();
    policy.grant('bash', pattern);
    expect(policy.judge(sh(command))).toMatchObject({ decision: 'allow', by: `grant: ${pattern}` });
  });

  test('files: a pattern that names something, and the file at hand', () => {
    const { policy, file } = bench({ write_file: { 'src/keep*': 'ask' } });
    const write = file('write_file', 'write', 'src/a.ts');
    for (const pattern of ['src/*', '*.ts', 'src/a.ts']) expect(policy.grantProblem(write, pattern)).toBeUndefined();
    for (const pattern of ['*', '**/*', './*', '?*.*'])
      expect(policy.grantProblem(write, pattern)).toBe(`"${pattern}" is too wide: it names no file and no folder.`);
    expect(policy.grantProblem(write, 'docs/*')).toMatch(/^"docs\/\*" can't be granted: .* still be asked/);
    const row = 'permission.write_file["src/keep*"]';
    expect(policy.grantProblem(file('write_file', 'write', 'src/keep.ts'), 'src/*')).toBe(
      `"src/*" can't be granted: write_file src/keep.ts would still be asked by ${row}.`,
    );
  });

  test('the person is told why and asked again; after three such answers it is a no, and nothing was granted', async () => {
    const files = { 'a.txt': 'one\n' };
    const edit = { path: 'a.txt', content: 'two\n' };
    const gate = await openTestGate({
      files,
      answer: (_, count) => (count === 1 ? { type: 'always', pattern: '*' } : { type: 'once' }),
    });
    expect((await gate.call('write_file', edit)).ok).toBe(true);
    expect(gate.asked.map(({ problem }) => problem)).toEqual([
      undefined,
      '"*" is too wide: it names no file and no folder.',
    ]);
    const stubborn = await openTestGate({ files, answer: () => ({ type: 'always', pattern: '*' }) });
    expect(await stubborn.call('write_file', edit)).toEqual({
      ok: false,
      code: 'denied',
      text: 'The user declined write_file. Reason: "*" is too wide: it names no file and no folder. Nothing was done. Ask what to do instead, or go another way.',
    });
    expect([stubborn.asked.length, stubborn.app.policy.grants.list()]).toEqual([3, []]);
  });

  test('for N times, for minutes, for good: as the answer says, and the audit log too', async () => {
    const gate = await openTestGate({
      files: { 'a.txt': '' },
      answer: ({ subject }) => ({
        type: 'always',
        pattern: subject,
        ...(subject === 'b' ? { uses: 1 } : subject === 'c' ? { minutes: 5 } : { stored: true }),
      }),
    });
    for (const path of ['b', 'c', 'd', 'b', 'b']) await gate.call('write_file', { path, content: `${Math.random()}` });
    expect(gate.asked.map(({ subject }) => subject)).toEqual(['b', 'c', 'd', 'b']);
    expect(gate.app.policy.grants.list().map(({ pattern, stored }) => [pattern, stored])).toEqual([
      ['c', undefined],
      ['b', undefined],
      ['d', true],
    ]);
    expect(gate.audit().records.map(({ approver }) => approver)).toEqual([
      'person: always b (1 times)',
      'person: always c (5 minutes)',
      'person: always d (stored)',
      'rules',
      'person: always b (1 times)',
    ]);
  });
});

test('asking which rule decides uses up no grant', async () => {
  const gate = await openTestGate({ files: {} });
  gate.app.policy.grant('write_file', 'x', { uses: 1 });
  for (let times = 0; times < 3; times += 1) {
    const { verdict } = await gate.app.gate.judge({ tool: 'write_file', args: { path: 'x', content: '' } });
    expect(verdict.by).toBe('grant: x');
  }
  expect((await gate.call('write_file', { path: 'x', content: 'a' })).ok).toBe(true);
  expect((await gate.call('write_file', { path: 'x', content: 'b' })).ok).toBe(false);
});

test('one call is one use of a grant, however many of its effects it covers', () => {
  const { policy, sh } = bench({}, {});
  policy.grant('bash', 'git status; git log', { uses: 2 });
  const judged = () => policy.judge(sh('git status; git log')).decision;
  expect([judged(), judged(), judged()]).toEqual(['allow', 'allow', 'ask']);
});
