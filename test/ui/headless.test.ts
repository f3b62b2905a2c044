import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { runTurn } from '../../src/agent/loop.ts';
import { emptyReceipt } from '../../src/agent/receipt.ts';
import { memorySession } from '../../src/agent/record.ts';
import { noUsage } from '../../src/model/model.ts';
import { headless } from '../../src/ui/headless.ts';
import { fakeGate, ok, testAgent } from '../support/agent.ts';

async function run(json: boolean) {
  const replies = [{ text: 'Looking.', calls: [{ tool: 'read', arguments: { path: 'a' } }] }, { text: 'All good.' }];
  const agent = testAgent(replies, fakeGate({ read: () => ok('content') }));
  const events = runTurn(agent, memorySession(), 'go', { signal: new AbortController().signal });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = [text(stdout), text(stderr)];
  const exit = await headless({ events, json, stdout, stderr });
  stdout.end();
  stderr.end();
  return { exit, stdout: await printed[0], stderr: await printed[1] };
}

test('text: the answer on stdout, everything else on stderr', async () => {
  const { exit, stdout, stderr } = await run(false);
  expect([exit, stdout]).toEqual([0, 'All good.\n']);
  expect(stderr).toBe('Looking.\n> read {"path":"a"}\n');
});

test('json: one event a line with the agreed names, deltas left out', async () => {
  const { stdout, stderr } = await run(true);
  const types = stdout!
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(['session', 'text', 'usage', 'tool-start', 'tool-result', 'text', 'usage', 'done']);
  expect(stderr).toBe('');
});

test('denials, errors, changes and what came of it are told on stderr; the exit code is the turn’s', async () => {
  const change = { type: 'create' as const, path: 'n.txt', added: 2, removed: 0 };
  const receipt = {
    files: [{ path: 'n.txt', state: 'created' as const, digest: 'abcdef0123456789', diff: 'unseen' as const }],
    commands: [{ command: 'npm test', exit: 1 }],
    claims: [],
    verified: false,
  };
  const events = (async function* (): AsyncGenerator<AgentEvent> {
    yield { type: 'tool-result', callId: 'a', tool: 'write_file', text: 'created', changes: [change] };
    yield { type: 'tool-error', callId: 'b', tool: 'grep', code: 'invalid', text: 'no\nsuch' };
    yield { type: 'tool-denied', callId: 'c', tool: 'bash', text: 'denied: why' };
    yield { type: 'notice', code: 'retry', text: 'busy' };
    yield { type: 'error', code: 'auth', text: 'bad key' };
    yield { type: 'done', exit: 1, text: '', steps: 3, usage: noUsage, cost: 0.5, receipt };
  })();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = [text(stdout), text(stderr)];
  expect(await headless({ events, json: false, stdout, stderr })).toBe(1);
  stdout.end();
  stderr.end();
  expect(await Promise.all(printed)).toEqual([
    '',
    [
      '  create n.txt +2 -0',
      '  grep: invalid: no such',
      '  denied: denied: why',
      '  retry: busy',
      'benchdog: bad key',
      '1 file changed, NOT verified',
      '  created n.txt abcdef012345 (diff NOT seen)',
      '  ran npm test -> 1',
      '3 steps, $0.5000, exit 1: failed',
      '',
    ].join('\n'),
  ]);
});

test('a reader that goes away does not end the turn', async () => {
  const agent = testAgent([{ text: 'hello' }], fakeGate({}));
  const events = runTurn(agent, memorySession(), 'go', { signal: new AbortController().signal });
  const broken = () =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })),
    });
  expect(await headless({ events, json: true, stdout: broken(), stderr: broken() })).toBe(0);
});

const said = async function* (text: string, tool = 'read'): AsyncGenerator<AgentEvent> {
  yield { type: 'tool-start', callId: 'a', tool, arguments: '{}' };
  yield { type: 'done', exit: 0, text, steps: 1, usage: noUsage, receipt: emptyReceipt };
};

test('nothing a model says moves the cursor of a terminal; a program gets the answer as it is', async () => {
  const nasty = 'a\u001b]0;title\u0007\u202eb';
  const print = async (terminal: boolean) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const printed = [text(stdout), text(stderr)];
    await headless({ events: said(nasty, 'x\u001b[31m'), json: false, terminal, stdout, stderr });
    stdout.end();
    stderr.end();
    return Promise.all(printed);
  };
  expect(await print(true)).toEqual(['a\\u001b]0;title\\u0007\\u202eb\n', '> x\\u001b[31m {}\n']);
  expect(await print(false)).toEqual([`${nasty}\n`, '> x\\u001b[31m {}\n']);
});

test.each([true, false])('an answer that could not be written is a failure (json: %s)', async (json) => {
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  });
  const stderr = new PassThrough();
  const printed = text(stderr);
  expect(await headless({ events: said('the answer'), json, stdout: full, stderr })).toBe(1);
  stderr.end();
  expect(await printed).toContain('benchdog: the answer could not be written: no space left\n');
});
