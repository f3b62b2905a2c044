import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Answer } from '../../src/gate/approver.ts';
import { openTestGate } from '../support/gate.ts';

const edit = { path: 'a.txt', oldString: 'two', newString: 'TWO' };
const files = { 'a.txt': 'one\ntwo\nthree\n' };
test('the approver sees the exact diff, and once is this one time', async () => {
  const gate = await openTestGate({ files, answer: () => ({ type: 'once' }) });
  expect(await gate.call('edit_file', edit)).toEqual({
    ok: true,
    text: 'edited a.txt (1 replacement)',
    changes: [{ type: 'modify', path: 'a.txt', added: 1, removed: 1 }],
  });
  const [request] = gate.asked;
  expect(request).toMatchObject({ callId: 'call-1', tool: 'edit_file', subject: 'a.txt', repeated: false });
  expect(request!.preview).toBe(
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
  );
  const change = request!.changes![0]!;
  expect(change.type === 'modify' && change.after.bytes.toString()).toBe(gate.read('a.txt'));
  await gate.call('edit_file', { ...edit, oldString: 'one', newString: 'ONE' });
  expect(gate.asked).toHaveLength(2);
});

test('always is not asked again for what its pattern covers', async () => {
  const gate = await openTestGate({ files, answer: () => ({ type: 'always', pattern: '*.txt' }) });
  expect((await gate.call('edit_file', edit)).ok).toBe(true);
  expect((await gate.call('edit_file', { ...edit, oldString: 'one', newString: 'ONE' })).ok).toBe(true);
  expect(gate.asked).toHaveLength(1);
  expect(gate.read('a.txt')).toBe('ONE\nTWO\nthree\n');
});

test('no is denied with the person’s reason, and nothing is done', async () => {
  const gate = await openTestGate({ files, answer: () => ({ type: 'no', reason: 'not now' }) });
  expect(await gate.call('edit_file', edit)).toEqual({
    ok: false,
    code: 'denied',
    text: 'The user declined edit_file. Reason: not now. Nothing was done. Ask what to do instead, or go another way.',
  });
  expect(gate.read('a.txt')).toBe(files['a.txt']);
});

test('nobody there: denied, and told how to allow it', async () => {
  const gate = await openTestGate({ files });
  const result = await gate.call('edit_file', edit);
  expect(result).toMatchObject({ ok: false, code: 'denied', text: expect.stringContaining('nobody could be asked') });
});

test('replaced arguments are planned anew and shown again, and may name another file', async () => {
  const gate = await openTestGate({
    files: { ...files, 'b.txt': 'two\n' },
    answer: (_, count) => (count === 1 ? { type: 'replace', arguments: { ...edit, path: 'b.txt' } } : { type: 'once' }),
  });
  expect(await gate.call('edit_file', edit)).toMatchObject({ ok: true, changes: [{ path: 'b.txt' }] });
  expect(gate.asked.map(({ subject }) => subject)).toEqual(['a.txt', 'b.txt']);
  expect(gate.asked[1]!.preview).toContain('+++ b/b.txt');
  expect([gate.read('a.txt'), gate.read('b.txt')]).toEqual([files['a.txt'], 'TWO\n']);
});

test('replaced arguments are judged anew: a denied file stays denied, wrong ones are invalid', async () => {
  const replaceBy = (args: unknown) =>
    openTestGate({ files: { ...files, '.env': 'two=2\n' }, answer: () => ({ type: 'replace', arguments: args }) });
  const denied = await (await replaceBy({ ...edit, path: '.env' })).call('edit_file', edit);
  expect(denied).toMatchObject({ ok: false, code: 'denied' });
  const invalid = await (await replaceBy({ path: 'a.txt' })).call('edit_file', edit);
  expect(invalid).toMatchObject({ ok: false, code: 'invalid' });
  const outside = await (await replaceBy({ ...edit, path: '../a.txt' })).call('edit_file', edit);
  expect(outside).toMatchObject({ ok: false, code: 'outside' });
});

const long = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const both = {
  path: 'long.txt',
  edits: [
    { oldString: 'line 2\n', newString: 'LINE 2\n' },
    { oldString: 'line 25\n', newString: 'LINE 25\n' },
  ],
};

test('of chosen hunks only these land, and the model is told what was left out', async () => {
  const gate = await openTestGate({
    files: { 'long.txt': long },
    answer: () => ({ type: 'hunks', ids: ['long.txt#2'] }),
  });
  const result = await gate.call('multi_edit', both);
  expect(result).toMatchObject({ ok: true, changes: [{ type: 'modify', path: 'long.txt', added: 1, removed: 1 }] });
  expect(result.text).toContain('The user left out one hunk: long.txt#1.');
  expect(gate.read('long.txt')).toBe(long.replace('line 25\n', 'LINE 25\n'));
});

test('no hunk is a no, all hunks are the whole, an unknown one is invalid', async () => {
  const choose = async (...ids: string[]) => {
    const gate = await openTestGate({ files: { 'long.txt': long }, answer: () => ({ type: 'hunks', ids }) });
    return gate.call('multi_edit', both);
  };
  expect(await choose()).toMatchObject({
    ok: false,
    code: 'denied',
    text: expect.stringContaining('no hunk was chosen'),
  });
  expect((await choose('long.txt#1', 'long.txt#2')).text).not.toContain('left out');
  expect(await choose('long.txt#3')).toMatchObject({ ok: false, code: 'invalid' });
});

test('a file that changes while the approval is open is stale, and keeps what the other wrote', async () => {
  const gate = await openTestGate({
    files,
    answer: ({ changes }) => {
      writeFileSync(changes![0]!.path.abs, 'somebody else\n');
      return { type: 'once' };
    },
  });
  expect(await gate.call('edit_file', edit)).toMatchObject({ ok: false, code: 'stale' });
  expect(gate.read('a.txt')).toBe('somebody else\n');
});

test('a file that comes to be where one is to be created is a conflict', async () => {
  const gate = await openTestGate({
    answer: ({ changes }) => {
      writeFileSync(changes![0]!.path.abs, 'somebody else\n');
      return { type: 'once' };
    },
  });
  const result = await gate.call('write_file', { path: 'n.txt', content: 'mine\n' });
  expect(result).toMatchObject({ ok: false, code: 'conflict', text: 'n.txt already exists. Nothing was changed.' });
  expect(gate.read('n.txt')).toBe('somebody else\n');
});

test('a turn that is cancelled while the approval is open is interrupted', async () => {
  const stop = new AbortController();
  const gate = await openTestGate({
    files,
    answer: () => {
      stop.abort();
      return { type: 'once' };
    },
  });
  const result = await gate.call('edit_file', edit, { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, code: 'interrupted' });
  expect(gate.read('a.txt')).toBe(files['a.txt']);
});

test('an approver that throws is a failed call', async () => {
  const gate = await openTestGate({
    files,
    answer: () => {
      throw new Error('the terminal is gone');
    },
  });
  expect(await gate.call('edit_file', edit)).toMatchObject({ ok: false, code: 'failed', text: 'the terminal is gone' });
});

test('declined, stale and failed are codes of their own', async () => {
  const codes = new Set<string>();
  const answers: (() => Answer)[] = [() => ({ type: 'no' }), () => ({ type: 'once' })];
  for (const answer of answers) {
    const gate = await openTestGate({
      files,
      answer: ({ changes }) => {
        if (answer().type === 'once') writeFileSync(changes![0]!.path.abs, 'x\n');
        return answer();
      },
    });
    const result = await gate.call('edit_file', edit);
    if (!result.ok) codes.add(result.code);
  }
  expect([...codes]).toEqual(['denied', 'stale']);
});

const secret = 'SECRET=top-secret-value\n';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a denied file that is overwritten shows size and digest, and nothing of its content anywhere', async () => {
  const gate = await openTestGate({ files: { '.env': secret }, answer: () => ({ type: 'once' }) });
  const result = await gate.call('write_file', { path: '.env', content: 'SECRET=next-value-here\n' });
  expect(result.ok).toBe(true);
  const [{ preview }] = gate.asked as [(typeof gate.asked)[0]];
  expect(preview).toContain(sha256(secret).slice(0, 12));
  const told = JSON.stringify([preview, result, gate.audit().records]);
  expect(told).not.toContain('top-secret');
  expect(gate.read('.env')).toBe('SECRET=next-value-here\n');
});

test('deleting a denied file tells nothing of its content either', async () => {
  const gate = await openTestGate({ files: { '.env': secret }, answer: () => ({ type: 'once' }) });
  const result = await gate.call('delete_file', { path: '.env' });
  expect(result.ok).toBe(true);
  expect(JSON.stringify([gate.asked.map(({ preview }) => preview), result, gate.audit().records])).not.toContain(
    'top-secret',
  );
  expect(existsSync(join(gate.root, '.env'))).toBe(false);
});

test('moving a denied file away, where it could be read, is denied', async () => {
  const gate = await openTestGate({ files: { '.env': secret }, answer: () => ({ type: 'once' }) });
  expect(await gate.call('move_file', { from: '.env', to: 'x.txt' })).toMatchObject({ ok: false, code: 'denied' });
  expect(existsSync(join(gate.root, 'x.txt'))).toBe(false);
});

test('the audit log has who let each call pass, and the digest of what was approved', async () => {
  const gate = await openTestGate({ files, answer: (_, count) => ({ type: count === 1 ? 'once' : 'no' }) });
  await gate.call('read_file', { path: 'a.txt' });
  await gate.call('edit_file', edit);
  await gate.call('edit_file', { ...edit, oldString: 'one', newString: '1' });
  await gate.call('read_file', { path: '.env' });
  const { records, broken } = gate.audit();
  expect(broken).toEqual([]);
  expect(
    records.map(({ callId, tool, subject, decision, approver, outcome }) => ({
      callId,
      tool,
      subject,
      decision,
      approver,
      outcome,
    })),
  ).toEqual([
    { callId: 'call-1', tool: 'read_file', subject: 'a.txt', decision: 'allow', approver: 'rules', outcome: 'allowed' },
    {
      callId: 'call-2',
      tool: 'edit_file',
      subject: 'a.txt',
      decision: 'ask',
      approver: 'person: once',
      outcome: 'allowed',
    },
    {
      callId: 'call-3',
      tool: 'edit_file',
      subject: 'a.txt',
      decision: 'ask',
      approver: 'person: no',
      outcome: 'denied',
    },
    { callId: 'call-4', tool: 'read_file', subject: '.env', decision: 'deny', approver: 'rules', outcome: 'denied' },
  ]);
  expect(records.map(({ digest }) => digest?.length)).toEqual([undefined, 64, 64, undefined]);
  expect(records.every(({ session }) => session === 'test')).toBe(true);
});

test.each([
  [true, 'boolean'],
  ['yes', 'string'],
  [{ type: 'yes' }, '"yes"'],
  [{ type: 'always' }, 'an "always" without a pattern'],
  [{ type: 'hunks', ids: 'all' }, '"hunks" without their ids'],
])('an approver that gives %j has not approved', async (answer, what) => {
  const gate = await openTestGate({ files, answer: () => answer as unknown as Answer });
  expect(await gate.call('edit_file', edit)).toEqual({
    ok: false,
    code: 'failed',
    text: `The approver gave ${what}, which is no answer. Valid: once, always (pattern), no, rehearse, replace (arguments), hunks (ids). Nothing was done.`,
  });
  expect(gate.read('a.txt')).toBe(files['a.txt']);
});
