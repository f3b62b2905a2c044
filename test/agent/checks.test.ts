import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import type { JournaledCommit } from '../../src/agent/changed-files.ts';
import { outputCheck } from '../../src/agent/output.ts';
import { renderReceipt } from '../../src/agent/receipt.ts';
import type { ToolResult } from '../../src/gate/gateway.ts';
import type { ScriptedReply } from '../../src/model/scripted.ts';
import { shownDiffsSlot } from '../../src/tool/shown.ts';
import { createToolState } from '../../src/tool/state.ts';
import { digestOf } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { fakeGate, ofType, ok, takeTurn, testAgent } from '../support/agent.ts';
import { tempFolder } from '../support/folders.ts';

/** An agent whose tools really write, and a git_diff that shows what the test lets it show. */
function checkedAgent(replies: readonly ScriptedReply[], changes: Partial<Agent> = {}) {
  const root = tempFolder({ 'old.txt': 'old\n' });
  const workspace = openWorkspace({ root });
  const state = createToolState();
  const commits: (JournaledCommit & { callId: string })[] = [];
  const write = (args: Record<string, unknown>, _options: unknown, callId: string): ToolResult => {
    const path = String(args.path);
    const create = path !== 'old.txt';
    const before = create ? {} : { before: { digest: digestOf(Buffer.from('old\n')) } };
    writeFileSync(join(root, path), String(args.content));
    const change = { type: create ? ('create' as const) : ('modify' as const), path, added: 1, removed: 0 };
    commits.push({ callId, origin: { session: 'memory' }, changes: [{ ...change, ...before }] });
    return { ok: true, text: `wrote ${path}`, changes: [change] };
  };
  const gate = fakeGate({
    write,
    delete: ({ path }) => {
      rmSync(join(root, String(path)));
      return { ok: true, text: 'deleted', changes: [{ type: 'delete', path: String(path), added: 0, removed: 1 }] };
    },
    fail: () => ({ ok: false, code: 'conflict', text: 'no' }),
    decline: () => ({ ok: false, code: 'denied', text: 'no' }),
    git_diff: ({ path, content }) => {
      const digest = content === undefined ? 'absent' : digestOf(Buffer.from(String(content)));
      state.get(shownDiffsSlot).add(workspace.resolve(String(path)), digest);
      return ok('diff');
    },
    bash: ({ command }) => ok(`exit code: ${String(command).startsWith('false') ? 1 : 0}\n(no output)`),
  });
  return testAgent(replies, gate, {
    workspace,
    state,
    checks: { diffs: true, claims: true, maxNudges: 2 },
    journal: { byCall: (callId) => commits.filter((commit) => commit.callId === callId) },
    ...changes,
  });
}

const call = (tool: string, args: object = {}): ScriptedReply => ({ calls: [{ tool, arguments: args }] });
const write = (path: string, content: string) => call('write', { path, content });
const diff = (path: string, content?: string) =>
  call('git_diff', { path, ...(content === undefined ? {} : { content }) });
const reminders = async (agent: Agent) => {
  const { events, done } = await takeTurn(agent);
  return { reminders: ofType(events, 'notice').map(({ text }) => text), done };
};

test('a change whose diff was looked at is verified', async () => {
  const { reminders: said, done } = await reminders(
    checkedAgent([write('a', '1\n'), diff('a', '1\n'), { text: 'done' }]),
  );
  expect(said).toEqual([]);
  expect(done).toMatchObject({
    exit: 0,
    receipt: { verified: true, files: [{ path: 'a', state: 'created', diff: 'seen' }] },
  });
});

test('without the diff the model is reminded twice, then the turn ends unverified with exit 4', async () => {
  const agent = checkedAgent([write('a', '1\n'), { text: 'done' }, { text: 'done' }, { text: 'done, really' }]);
  const { reminders: said, done } = await reminders(agent);
  expect(said).toEqual(
    Array(2).fill(
      'You changed a but have not looked at the diff of that state. Call git_diff (with a path where it was cut), check it, mend what is wrong, then finish.',
    ),
  );
  expect(done).toMatchObject({ exit: 4, text: 'done, really' });
  expect(renderReceipt(done.receipt)).toBe(
    `1 file changed, NOT verified\n  created a ${digestOf(Buffer.from('1\n')).slice(0, 12)} (diff NOT seen)`,
  );
});

test('a reminder that is heeded verifies', async () => {
  const agent = checkedAgent([write('a', '1\n'), { text: 'done' }, diff('a', '1\n'), { text: 'looked' }]);
  expect((await reminders(agent)).done).toMatchObject({ exit: 0, text: 'looked' });
});

test('a later change makes the diff stale', async () => {
  const agent = checkedAgent([
    write('a', '1\n'),
    diff('a', '1\n'),
    write('a', '2\n'),
    ...Array(3).fill({ text: 'done' }),
  ]);
  expect((await reminders(agent)).done.exit).toBe(4);
});

test('a diff of another file does not verify; coverage adds up over several calls', async () => {
  const both = [write('a', '1\n'), write('b', '2\n')];
  const half = checkedAgent([...both, diff('a', '1\n'), ...Array(3).fill({ text: 'done' })]);
  expect((await reminders(half)).reminders[0]).toMatch(/^You changed b but/);
  const whole = checkedAgent([...both, diff('a', '1\n'), diff('b', '2\n'), { text: 'done' }]);
  expect((await reminders(whole)).done.exit).toBe(0);
});

test('failed and declined changes do not count', async () => {
  const { reminders: said, done } = await reminders(checkedAgent([call('fail'), call('decline'), { text: 'no luck' }]));
  expect(said).toEqual([]);
  expect(done).toMatchObject({ exit: 3, receipt: { files: [], verified: true } });
});

test('a deletion is verified by a diff that shows it', async () => {
  const gone = [call('delete', { path: 'old.txt' }), diff('old.txt'), { text: 'done' }];
  expect((await reminders(checkedAgent(gone))).done).toMatchObject({
    exit: 0,
    receipt: { files: [{ path: 'old.txt', state: 'deleted', diff: 'seen' }] },
  });
});

test('what was put back needs no look: created and deleted, or changed and restored', async () => {
  const created = [write('a', '1\n'), call('delete', { path: 'a' }), { text: 'done' }];
  expect((await reminders(checkedAgent(created))).done.receipt.files).toEqual([]);
  const restored = [write('old.txt', 'new\n'), write('old.txt', 'old\n'), { text: 'done' }];
  expect((await reminders(checkedAgent(restored))).done.receipt.files).toEqual([]);
});

test('a file that may not be read is exempt and named', async () => {
  const agent = checkedAgent([write('k.pem', 'x'), { text: 'done' }]);
  const workspace = openWorkspace({ root: agent.workspace.root.real, visible: (path) => !path.rel.endsWith('.pem') });
  const { done } = await reminders({ ...agent, workspace });
  expect(done).toMatchObject({ exit: 0, receipt: { files: [{ path: 'k.pem', state: 'created', diff: 'exempt' }] } });
});

test('a claim of passing tests needs a green run since the last change', async () => {
  const claim = { text: 'All tests pass.' };
  const change = [write('a', '1\n'), diff('a', '1\n')];
  const none = await reminders(checkedAgent([...change, claim, claim, claim]));
  expect(none.reminders[0]).toBe(
    'You say: "All tests pass.", but since the last change no command was run. Run the check itself now, or say plainly that it was not run.',
  );
  expect(none.done).toMatchObject({ exit: 4, receipt: { claims: ['All tests pass.'], verified: false } });

  const run = call('bash', { command: 'npm test' });
  const green = await reminders(checkedAgent([...change, run, claim]));
  expect(green.done).toMatchObject({ exit: 0, receipt: { commands: [{ command: 'npm test', exit: 0 }] } });

  const early = await reminders(checkedAgent([run, ...change, claim, { text: 'The tests were not run again.' }]));
  expect(early.reminders).toHaveLength(1);
  expect(early.done.exit).toBe(0);

  const red = [...change, call('bash', { command: 'false' }), claim, { text: 'One test fails.' }];
  expect((await reminders(checkedAgent(red))).reminders).toHaveLength(1);
});

test('the next prompt begins anew', async () => {
  const agent = checkedAgent([write('a', '1\n'), ...Array(3).fill({ text: 'done' }), { text: 'It is Monday.' }]);
  const { session } = await takeTurn(agent);
  const { done } = await takeTurn(agent, 'what day is it?', { session });
  expect(done).toMatchObject({ exit: 0, receipt: { files: [] } });
});

test('an answer that does not fit the output schema is sent back, then fails the turn', async () => {
  const output = outputCheck({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
  const fenced = '```json\n{"n":1}\n```';
  const mended = await reminders(checkedAgent([{ text: 'hi' }, { text: '{"n":"1"}' }, { text: fenced }], { output }));
  expect(mended.reminders).toEqual([
    'The final answer must be JSON that follows the output schema, and nothing else; it is not JSON alone. Give the whole answer again.',
    'The final answer must be JSON that follows the output schema, and nothing else; at n: Invalid input: expected number, received string. Give the whole answer again.',
  ]);
  expect(mended.done).toMatchObject({ exit: 0, text: '{"n":1}' });
  expect((await reminders(checkedAgent(Array(3).fill({ text: 'hi' }), { output }))).done).toMatchObject({
    exit: 1,
    text: '',
  });
});

test('an output schema that can not be checked is refused at once', () => {
  expect(() => outputCheck({ if: {}, else: {} })).toThrow(/^The output schema can't be used: /);
});
