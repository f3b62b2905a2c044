import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openAudit, readAudit } from '../../src/gate/audit.ts';
import { tempFolder } from '../support/folders.ts';
import { bench } from './support.ts';

function written() {
  const path = join(tempFolder(), 'audit.jsonl');
  const { policy, sh } = bench({ bash: { 'git *': 'allow' } });
  const audit = openAudit(path, {
    mask: (text) => text.replaceAll('hunter22', '[masked]'),
    now: () => new Date('2026-01-02T03:04:05Z'),
  });
  ['git log', 'npm publish --token=hunter22', 'git status'].forEach((command, at) => {
    const call = sh(command);
    const verdict = policy.judge(call);
    const passed = verdict.decision === 'allow';
    audit.add({
      callId: `c${at}`,
      session: 's',
      call,
      verdict,
      approver: passed ? 'rules' : 'nobody',
      outcome: passed ? 'allowed' : 'denied',
      digest: 'ab',
    });
  });
  audit.close();
  return path;
}

test('a record says what was judged, by what, and who let it pass; secrets are masked', () => {
  const path = written();
  const { records, broken } = readAudit(path);
  expect(broken).toEqual([]);
  expect(records[1]).toEqual({
    previous: expect.stringMatching(/^[0-9a-f]{64}$/),
    at: '2026-01-02T03:04:05.000Z',
    callId: 'c1',
    session: 's',
    tool: 'bash',
    subject: 'npm publish --token=[masked]',
    decision: 'ask',
    by: 'default: bash is asked',
    effects: [
      { kind: 'execute', subject: 'npm publish --token=[masked]', decision: 'ask', by: 'default: bash is asked' },
    ],
    approver: 'nobody',
    outcome: 'denied',
    digest: 'ab',
  });
  expect(readFileSync(path, 'utf8')).not.toContain('hunter22');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each<[string, (lines: string[]) => string[], number]>([
  ['changed', ([a, b, c]) => [a!.replace('git log', 'git lag'), b!, c!], 1],
  ['removed', ([a, , c]) => [a!, c!], 1],
  ['removed first', ([, b, c]) => [b!, c!], 1],
  ['put in', ([a, b, c]) => [a!, a!, b!, c!], 1],
  ['swapped', ([a, b, c]) => [b!, a!, c!], 3],
])('a record that was %s is found', (_, change, count) => {
  const path = written();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`);
  const { broken } = readAudit(path);
  expect(broken).toHaveLength(count);
  expect(broken[0]).toMatch(/^record \d \(call c\d\) does not follow the one before it/);
});

test('lines cut off at the end are missed, and the head is another one', () => {
  const path = written();
  const whole = readAudit(path).head;
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const gone = 'the record that was written last is not there: records were cut off at the end, or changed.';
  writeFileSync(path, `${lines.slice(0, 2).join('\n')}\n`);
  expect(readAudit(path).broken).toEqual([gone]);
  expect(readAudit(path).head).not.toBe(whole);
  rmSync(path);
  expect(readAudit(path)).toMatchObject({ records: [], broken: [gone] });
});

test('the last record changed, a foreign one behind it, and the note of the last one taken away are found', () => {
  const path = written();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('git status', 'git stash'));
  expect(readAudit(path).broken).toHaveLength(1);
  writeFileSync(path, `${text}{"previous":"0","callId":"c9"}\n`);
  expect(readAudit(path).broken).toEqual([expect.stringContaining('record 4 (call c9) does not follow')]);
  writeFileSync(path, `${text}rubbish\n`);
  expect(readAudit(path).broken).toEqual([expect.stringContaining('record 4: line 4')]);
  writeFileSync(path, text);
  rmSync(`${path}.head`);
  expect(readAudit(path).broken).toEqual([
    'the note of the last record is missing: records may have been cut off at the end.',
  ]);
});

test('what a person typed and what the model calls its call are masked too', () => {
  const path = join(tempFolder(), 'audit.jsonl');
  const { policy, sh } = bench();
  const audit = openAudit(path, { mask: (text) => text.replaceAll('hunter22', '[masked]') });
  const call = sh('ls');
  const approver = 'person: always echo hunter22';
  audit.add({ callId: 'hunter22', call, verdict: policy.judge(call), approver, outcome: 'allowed' });
  audit.close();
  expect(readFileSync(path, 'utf8')).not.toContain('hunter22');
});

const child = (path: string, name: string, count: number) =>
  spawn(process.execPath, ['--import', 'tsx', resolve('test/support/audit-child.ts'), path, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

test('processes that write at once keep one chain', async () => {
  const path = join(tempFolder(), 'audit.jsonl');
  const ends = ['a', 'b', 'c'].map((name) => once(child(path, name, 60), 'close'));
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0]);
  const { records, broken } = readAudit(path);
  expect([records.length, broken]).toEqual([180, []]);
});

test('a process killed while it writes breaks nothing, and the next one goes on', async () => {
  const path = join(tempFolder(), 'audit.jsonl');
  for (const name of ['a', 'b']) {
    const writing = child(path, name, 1e6);
    await once(writing.stdout!, 'data');
    writing.kill('SIGKILL');
    await once(writing, 'close');
  }
  const before = readAudit(path).records.length;
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"previous":"torn`);
  await once(child(path, 'c', 3), 'close');
  const { records, broken } = readAudit(path);
  expect([records.length, broken]).toEqual([before + 3, []]);
});

test('the chain goes on when the log is opened again', () => {
  const path = written();
  const { policy, sh } = bench();
  const audit = openAudit(path);
  const call = sh('ls');
  audit.add({ callId: 'c3', call, verdict: policy.judge(call), approver: 'person', outcome: 'allowed' });
  audit.close();
  expect(readAudit(path).records).toHaveLength(4);
  expect(readAudit(path).broken).toEqual([]);
});
