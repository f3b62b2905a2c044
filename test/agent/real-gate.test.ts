import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { createApp, type Settings } from '../../src/app.ts';
import { nobody } from '../../src/gate/approver.ts';
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.ts';
import { ofType, promptParts, takeTurn } from '../support/agent.ts';
import { tempFolder } from '../support/folders.ts';
import { repository } from '../support/repository.ts';

const call = (tool: string, args: object = {}): ScriptedReply => ({ calls: [{ tool, arguments: args }] });

/** A login shell reads the profile of whoever runs the tests otherwise. */
beforeEach(() => void vi.stubEnv('HOME', tempFolder()));

/** An agent over the whole of the product but the model: real tools, rules, journal, git. */
async function realAgent(root: string, replies: ScriptedReply[], flags: Settings = {}) {
  const home = tempFolder();
  const app = await createApp({
    flags: { root, approve: 'all', ...flags },
    env: { ...process.env, BENCHDOG_HOME: home },
    approver: nobody,
    session: 'memory',
    repeatGuard: true,
  });
  onTestFinished(() => app.close());
  const agent: Agent = {
    model: scriptedModel(replies),
    gate: app.gate,
    workspace: app.workspace,
    state: app.state,
    journal: app.journal,
    instructions: () => promptParts,
    limits: { maxSteps: 50 },
    checks: { diffs: app.dialect.checksDiffs, claims: true, maxNudges: 2 },
  };
  return agent;
}

test.each(['native', 'udiff'])('%s: an edit whose diff was looked at is verified', async (dialect) => {
  const root = repository({ 'a.txt': 'one\n' });
  const replies = [call('write_file', { path: 'a.txt', content: 'two\n' }), call('git_diff'), { text: 'Changed.' }];
  const { done, events } = await takeTurn(await realAgent(root, replies, { dialect }));
  expect(ofType(events, 'tool-result').map(({ tool, changes }) => [tool, changes])).toEqual([
    ['write_file', [{ type: 'modify', path: 'a.txt', added: 1, removed: 1 }]],
    ['git_diff', []],
  ]);
  expect(done).toMatchObject({ exit: 0, receipt: { files: [{ path: 'a.txt', state: 'modified', diff: 'seen' }] } });
});

test.each(['native', 'udiff'])(
  '%s: untracked files count, and without a look the turn is unverified',
  async (dialect) => {
    const root = repository({ 'a.txt': 'one\n' });
    const write = call('write_file', { path: 'sub/new.txt', content: 'x\n' });
    const ends = Array(3).fill({ text: 'Done.' });
    const blind = await takeTurn(await realAgent(root, [write, ...ends], { dialect }));
    expect(blind.done).toMatchObject({ exit: 4, receipt: { files: [{ path: 'sub/new.txt', diff: 'unseen' }] } });
  },
);

test('undo puts a change back, and then there is nothing to verify', async () => {
  const root = repository({ 'a.txt': 'one\n' });
  const replies = [call('write_file', { path: 'a.txt', content: 'two\n' }), call('undo'), { text: 'Put back.' }];
  const { done } = await takeTurn(await realAgent(root, replies));
  expect(done).toMatchObject({ exit: 0, receipt: { files: [], verified: true } });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('what nobody can approve is denied and shows in the exit code', async () => {
  const root = repository({ 'a.txt': 'one\n' });
  const replies = [call('write_file', { path: 'a.txt', content: 'two\n' }), { text: 'I was not allowed to.' }];
  const { done, events } = await takeTurn(await realAgent(root, replies, { approve: 'ask' }));
  expect(ofType(events, 'tool-denied')).toHaveLength(1);
  expect(done.exit).toBe(3);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a green command backs a claim, a red one does not', async () => {
  const root = repository({ 'a.txt': 'one\n', 'ok.sh': 'exit 0\n', 'bad.sh': 'exit 3\n' });
  const change = [call('write_file', { path: 'a.txt', content: 'two\n' }), call('git_diff')];
  const claim = { text: 'All tests pass.' };
  const green = await realAgent(root, [...change, call('bash', { command: 'sh ok.sh' }), claim]);
  expect((await takeTurn(green)).done).toMatchObject({
    exit: 0,
    receipt: { commands: [{ command: 'sh ok.sh', exit: 0 }] },
  });
  const again = [call('write_file', { path: 'a.txt', content: 'three\n' }), call('git_diff')];
  const red = await realAgent(root, [...again, call('bash', { command: 'sh bad.sh' }), claim, claim, claim]);
  expect((await takeTurn(red)).done).toMatchObject({
    exit: 4,
    receipt: { commands: [{ exit: 3 }], claims: ['All tests pass.'] },
  });
});

test('an abort kills the running command and the turn says so', async () => {
  const root = repository({});
  const stop = new AbortController();
  const agent = await realAgent(root, [call('bash', { command: 'echo begun; sleep 60' })]);
  const { done, events } = await takeTurn(agent, 'go', {
    signal: stop.signal,
    on: (event) => event.type === 'tool-output' && stop.abort(),
  });
  expect(ofType(events, 'tool-error')).toMatchObject([
    { code: 'interrupted', text: expect.stringMatching(/^The user interrupted this command/) },
  ]);
  expect(done.exit).toBe(130);
});

test('arguments nested without measure are refused as such by every part of the gate', async () => {
  const deep = `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const replies = [{ calls: [{ tool: 'read_file', arguments: deep }] }, { text: 'on' }];
  const { done, events } = await takeTurn(await realAgent(tempFolder(), replies));
  expect(ofType(events, 'tool-error').map(({ code, text }) => [code, text.slice(0, 63)])).toEqual([
    ['invalid', 'invalid read_file arguments: the JSON is nested too deep. Expec'],
  ]);
  expect(done).toMatchObject({ exit: 0, text: 'on' });
});
