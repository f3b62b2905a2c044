import { expect, test } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { type ApproverConfig, approverSchema } from '../../src/gate/rousseau-rules.ts';
import { openTestGate } from '../support/gate.ts';
import { bench } from './support.ts';

const open = (approver: ApproverConfig) => bench({}, {}, { approver });

test('allow_all allows what is asked, and nothing that a guard or a built-in denial refuses', () => {
  const { policy, file, decide } = open({ mode: 'allow_all' });
  expect(decide('npm test | tee log')).toBe('allow');
  expect(policy.judge(file('write', 'write', 'a')).decision).toBe('allow');
  expect(decide('git reset --hard', 'sh')).toBe('deny');
  expect(decide('cat .env', 'sh')).toBe('deny');
});

test('deny_all refuses every call, with its reason', () => {
  const { policy, file, sh } = open({ mode: 'deny_all', reason: 'maintenance' });
  const verdict = { decision: 'deny', by: 'approver.mode deny_all', reason: 'maintenance' };
  expect(policy.judge(file('read', 'read', 'a'))).toMatchObject(verdict);
  expect(policy.judge(sh('ls', 'sh'))).toMatchObject(verdict);
  expect(policy.judge({ tool: 'x', readOnly: true, subject: 'x', effects: [], arguments: {} })).toMatchObject(verdict);
});

test('pattern: deny rows, then allow rows, then the default', () => {
  const { policy, sh, file, root } = open({
    mode: 'pattern',
    default: 'deny',
    reason: 'not listed',
    allow: [{ tool: 'bash', match: '^git (status|log)' }, { tool: 'read' }],
    deny: [
      { tool: 'bash', match: 'log -p' },
      { tool: 'read', match: '/private/' },
    ],
  });
  const judge = (command: string) => policy.judge(sh(command, 'sh'));
  expect(judge('git status')).toMatchObject({ decision: 'allow', by: 'approver.allow[0] /^git (status|log)/' });
  expect(judge('git log -p')).toMatchObject({ decision: 'deny', by: 'approver.deny[0] /log -p/' });
  expect(judge('npm test')).toMatchObject({ decision: 'deny', by: 'approver.default deny', reason: 'not listed' });
  expect(judge('git status; npm test').decision).toBe('deny');
  expect(judge('git "log" -p').decision).toBe('deny');
  expect(policy.judge(file('read', 'read', 'a')).decision).toBe('allow');
  expect(policy.judge(file('read', 'read', `${root}/private/a`)).decision).toBe('deny');
  expect(policy.judge(file('grep', 'read', 'private/a')).decision).toBe('deny');
  expect(policy.judge(file('write', 'write', 'a')).decision).toBe('deny');
});

test('the default is deny unless it says allow', () => {
  expect(open({ mode: 'pattern' }).decide('ls', 'sh')).toBe('deny');
  expect(open({ mode: 'pattern', default: 'allow' }).decide('ls', 'sh')).toBe('allow');
});

test('a deny row can’t be got around by a second line, quotes or a wrapper', () => {
  const { decide } = open({ mode: 'pattern', default: 'allow', deny: [{ tool: 'bash', match: '^touch' }] });
  for (const command of [
    'ls\ntouch x',
    '"touch" x',
    '/usr/bin/touch x',
    'env A=1 touch x',
    'timeout 5 touch x',
    "sh -c 'touch x'",
  ]) {
    expect([command, decide(command, 'sh')]).toEqual([command, 'deny']);
  }
});

test('an invalid mode or expression is an error at the start', () => {
  expect(approverSchema.safeParse({ mode: 'maybe' }).success).toBe(false);
  expect(approverSchema.safeParse({ mode: 'pattern', else: 1 }).success).toBe(false);
  const start = () => open({ mode: 'pattern', allow: [{ tool: 'bash', match: '(' }] });
  expect(start).toThrow(ToolError);
  expect(start).toThrow(/^approver\.allow\[0\]\.match is no regular expression \(RE2 syntax\): /);
  expect(() => open({ mode: 'pattern', allow: [{ tool: 'bash', match: '(?=x)' }] })).toThrow(ToolError);
});

test('a hostile expression is matched in linear time', () => {
  const { decide } = open({ mode: 'pattern', deny: [{ tool: 'bash', match: '^(a+)+$' }] });
  expect(decide(`${'a'.repeat(40)}!`, 'sh')).toBe('deny');
});

test('allow_all leaves nothing to ask, unless a flag says how to approve', async () => {
  const flags = { dialect: 'rousseau' };
  const config = { approver: { mode: 'allow_all' } };
  const command = 'X=echo; $X a';
  expect((await (await openTestGate({ flags, config })).call('bash', { command })).ok).toBe(true);
  for (const approve of ['ask', 'none']) {
    const gate = await openTestGate({ flags: { ...flags, approve }, config });
    expect(await gate.call('bash', { command })).toMatchObject({ ok: false, code: 'denied' });
  }
});
