import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forkSession } from '../../src/agent/fork.ts';
import { isResult, memorySession } from '../../src/agent/record.ts';
import { loadSession } from '../../src/agent/record-read.ts';
import { openSession, sessionFile } from '../../src/agent/session.ts';
import { expireSessions, findSession, listSessions, removeSession } from '../../src/agent/session-list.ts';
import { type Todo, todoSlot } from '../../src/agent/todo.ts';
import { messagesOf, unknownEnd } from '../../src/agent/transcript.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent } from '../support/agent.ts';
import { tempFolder } from '../support/folders.ts';

const place = () => ({ home: tempFolder(), root: '/project' });

test('a session is an owner-only log, one record a line, that is gone on with by id, prefix or as the latest', async () => {
  const at = place();
  const { session } = openSession(at);
  const gate = fakeGate({ read: () => ok('content') });
  const replies = [{ calls: [{ tool: 'read' }] }, { text: 'first' }, { text: 'second' }];
  await takeTurn(testAgent(replies, gate), 'one', { session });
  session.close();
  const file = sessionFile(at.home, session.id);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id, role, type }) => [id, role ?? type])).toEqual([
    [1, 'session'],
    [2, 'user'],
    [3, 'assistant'],
    [4, 'tool'],
    [5, 'assistant'],
    [6, 'ended'],
  ]);
  for (const which of ['latest', { id: session.id }, { id: session.id.slice(0, -3) }] as const) {
    const again = openSession(at, which);
    expect(messagesOf(again.session.records)).toEqual(messagesOf(session.records));
    again.session.close();
  }
  const again = openSession(at, 'latest').session;
  const { done, events } = await takeTurn(testAgent(replies, gate), 'two', { session: again });
  expect([done.text, ofType(events, 'session')[0]?.resumed]).toEqual(['second', true]);
  again.close();
});

test('two processes, or twice the same, can not have one session', () => {
  const at = place();
  const { session } = openSession(at);
  expect(() => openSession(at, 'latest')).toThrow(/is already open here. Close it there first.$/);
  session.close();
  openSession(at, 'latest').session.close();
});

test('a session of another workspace is not gone on with here', () => {
  const at = place();
  const { session } = openSession(at);
  session.close();
  const other = { ...at, root: '/other' };
  expect(() => openSession(other, { id: session.id })).toThrow(
    `Session ${session.id} belongs to /project. Go on there, or give --root /project.`,
  );
  expect(() => openSession(other, 'latest')).toThrow('There is no session in this folder yet to go on with.');
});

test('a session whose first record is damaged is found, listed and kept to its workspace all the same', async () => {
  const at = place();
  const { session } = openSession(at);
  const { done } = await takeTurn(testAgent([{ text: 'hello' }], fakeGate({})), 'say hello', { session });
  expect(done.exit).toBe(0);
  session.close();
  const file = sessionFile(at.home, session.id);
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, ['\0'.repeat(first!.length), ...rest].join('\n'));
  expect(listSessions(at.home, '/project')).toMatchObject([{ id: session.id, root: '/project', title: 'say hello' }]);
  expect(() => openSession({ ...at, root: '/other' }, { id: session.id })).toThrow(/belongs to \/project/);
  const again = openSession(at, 'latest');
  expect([again.session.id, again.session.marksStarts, again.warnings.length]).toEqual([session.id, true, 1]);
  again.session.close();
});

test('unknown and ambiguous prefixes say so', () => {
  const at = place();
  const opened = [openSession(at).session, openSession(at).session];
  for (const session of opened) session.close();
  const ids = opened.map(({ id }) => id);
  expect(() => findSession(at.home, 'zzz')).toThrow('No session begins with "zzz". `benchdog sessions` lists them.');
  expect(() => findSession(at.home, ids[0]!.slice(0, 4))).toThrow(/^2 sessions begin with/);
});

test('fork, list, remove, expire', () => {
  const at = place();
  const { session } = openSession(at);
  session.append({ role: 'user', text: 'fix\nthe bug' });
  session.close();
  const fork = forkSession(at.home, session.id);
  expect(messagesOf(loadSession(sessionFile(at.home, fork)).records)).toEqual([{ role: 'user', text: 'fix\nthe bug' }]);
  expect(listSessions(at.home, '/project').map(({ id, title, forkedFrom }) => [id, title, forkedFrom])).toEqual([
    [fork, 'fix the bug', session.id],
    [session.id, 'fix the bug', undefined],
  ]);
  expect(listSessions(at.home, '/other')).toEqual([]);
  const old = new Date(Date.now() - 40 * 86_400_000);
  utimesSync(sessionFile(at.home, session.id), old, old);
  expect(expireSessions(at.home, 30)).toEqual([session.id]);
  expect(removeSession(at.home, fork)).toBe(fork);
  expect(listSessions(at.home)).toEqual([]);
});

test('secrets are masked in what is written', () => {
  const { session } = openSession({ ...place(), mask: (text) => text.replaceAll('hunter2!', '***') });
  session.append({ role: 'user', text: 'my password is hunter2!' });
  expect(session.records.at(-1)).toMatchObject({ text: 'my password is hunter2!' });
  session.close();
});

function logged(content: string | Buffer) {
  const at = place();
  mkdirSync(join(at.home, 'sessions'), { recursive: true });
  writeFileSync(sessionFile(at.home, 's1'), content);
  return { file: sessionFile(at.home, 's1'), open: () => openSession(at, { id: 's1' }) };
}

test('a run of NUL bytes and a raw U+2028 neither end nor split the history', () => {
  const lines = ['{"id": 1, "role": "user", "text": "m1"}', '{"id":2,"role":"user","text":"a\u2028b"}'];
  const { file } = logged(`${lines[0]}\n${'\0'.repeat(300)}${lines[1]}\n{"id": 3, "role": "user", "text": "m3"}\n`);
  const { records, warnings } = loadSession(file);
  expect(records.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(records[1]).toMatchObject({ text: 'a\u2028b' });
  expect(warnings).toEqual(['line 2: 300 NUL bytes were skipped']);
});

test('a torn tail is dropped, reported, and gone after the next append', () => {
  const { file, open } = logged('{"id":1,"role":"user","text":"m1"}\n{"id":2,"role":"us');
  const { session, warnings } = open();
  expect(warnings).toEqual(['line 2: the last record is torn (18 bytes) and was dropped']);
  session.append({ role: 'user', text: 'm2' });
  session.close();
  expect(loadSession(file).records.map(({ id }) => id)).toEqual([1, 2]);
  expect(loadSession(file).warnings).toEqual([]);
});

const foreign = [
  '{"id": 1, "role": "user", "text": "m1"}',
  '{"id": 2, "role": "assistant", "toolCalls": [{"callId": "c1", "tool": "bash", "args": {"command": "sleep 99"}}, {"callId": "c2", "tool": "read_file", "args": {"path": "a.txt"}}]}',
  '{"id": 3, "role": "tool", "callId": "c2", "result": "x"}',
];

test('a log that ends in a call without a result pairs every call with one result and runs nothing again', async () => {
  const { open } = logged(`${foreign.join('\n')}\n`);
  const { session } = open();
  const paired = {
    role: 'tool',
    results: [
      { callId: 'c1', tool: 'bash', text: unknownEnd, failed: true },
      { callId: 'c2', tool: 'read_file', text: 'x', failed: false },
    ],
  };
  expect(messagesOf(session.records)[2]).toEqual(paired);
  const gate = fakeGate({ bash: () => ok('ran'), read_file: () => ok('read') });
  const { done } = await takeTurn(testAgent([{}, { text: 'on we go' }], gate), 'go on', { session });
  expect([gate.seen, done.text, messagesOf(session.records)[2]]).toEqual([[], 'on we go', paired]);
  session.close();
});

/** A session as a crash leaves it: one step with a call of each kind, none with a result. */
function crashed() {
  const session = memorySession();
  session.append({ role: 'user', text: 'go', kind: 'prompt' });
  const call = (callId: string, tool: string) => ({ type: 'call' as const, callId, tool, arguments: '{}' });
  const parts = [call('a', 'write'), call('b', 'write'), call('c', 'bash'), call('d', 'read'), call('e', 'write')];
  session.append({ role: 'assistant', parts });
  session.append({ type: 'started', callId: 'a', kind: 'change' });
  session.append({ type: 'started', callId: 'b', kind: 'change' });
  session.append({ type: 'started', callId: 'c', kind: 'action' });
  return session;
}

test('on resume: journaled is reported, not journaled and not started are run, a running command is unknown', async () => {
  const session = crashed();
  const gate = fakeGate({ write: () => ok('written'), bash: () => ok('ran'), read: () => ok('read') });
  const change = { type: 'modify' as const, path: 'x.txt', added: 1, removed: 1 };
  const journal = {
    byCall: (id: string) => (id === 'a' ? [{ origin: { session: 'memory' }, changes: [change] }] : []),
  };
  const { events, done } = await takeTurn(testAgent([{}, { text: 'done' }], gate, { journal }), undefined, { session });
  expect(gate.seen).toEqual(['b', 'd', 'e']);
  expect(ofType(events, 'notice')).toEqual([
    {
      type: 'notice',
      code: 'repaired',
      text: 'The session ended within a step: of its calls 2 were settled, 3 are run now.',
    },
  ]);
  expect(messagesOf(session.records)[2]).toEqual({
    role: 'tool',
    results: [
      {
        callId: 'a',
        tool: 'write',
        text: 'The session ended before this was reported, but the journal shows it was done:\nmodify x.txt',
        failed: false,
      },
      { callId: 'b', tool: 'write', text: 'written', failed: false },
      { callId: 'c', tool: 'bash', text: unknownEnd, failed: true },
      { callId: 'd', tool: 'read', text: 'read', failed: false },
      { callId: 'e', tool: 'write', text: 'written', failed: false },
    ],
  });
  expect(done).toMatchObject({ exit: 0, text: 'done' });
});

test('on resume: what the journal shows was done is reported even when a power cut took the record of its start', async () => {
  const session = memorySession();
  session.append({ role: 'user', text: 'go', kind: 'prompt' });
  session.append({ role: 'assistant', parts: [{ type: 'call', callId: 'a', tool: 'write', arguments: '{}' }] });
  const gate = fakeGate({ write: () => ok('written twice') });
  const change = { type: 'create' as const, path: 'x.txt', added: 1, removed: 0 };
  const journal = { byCall: () => [{ origin: { session: 'memory' }, changes: [change] }] };
  await takeTurn(testAgent([{}, { text: 'done' }], gate, { journal }), undefined, { session });
  expect(gate.seen).toEqual([]);
  expect(session.records.find(isResult)?.result).toBe(
    'The session ended before this was reported, but the journal shows it was done:\ncreate x.txt',
  );
});

test('starts are marked before effects, and only where there can be any', async () => {
  const session = memorySession();
  const marked: unknown[] = [];
  const gate = fakeGate({
    read: () => ok('x'),
    write: () => {
      marked.push(session.records.at(-1));
      return ok('x');
    },
  });
  await takeTurn(testAgent([{ calls: [{ tool: 'read' }, { tool: 'write' }] }, { text: 'end' }], gate), 'go', {
    session,
  });
  expect(marked).toMatchObject([{ type: 'started', callId: 'call-1-2' }]);
});

test('the task list comes back with its session', async () => {
  const session = memorySession();
  const todos: Todo[] = [{ content: 'a', status: 'in_progress' }];
  const first = testAgent(
    [{ calls: [{ tool: 'todo' }] }, { text: 'end' }],
    fakeGate({
      todo: () => {
        first.state.get(todoSlot).todos = todos;
        return ok('saved');
      },
    }),
  );
  expect(ofType((await takeTurn(first, 'go', { session })).events, 'todo')).toEqual([{ type: 'todo', todos }]);
  const second = testAgent([{}, {}, { text: 'end' }], fakeGate({}));
  await takeTurn(second, 'on', { session });
  expect(second.state.get(todoSlot).todos).toEqual(todos);
});
