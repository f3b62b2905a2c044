import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runTurn } from '../../src/agent/loop.ts';
import { memorySession } from '../../src/agent/record.ts';
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
  expect(stderr).toBe('> read {"path":"a"}\n');
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
