import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { createToolState, type ToolState } from '../../src/tool/state.ts';
import { nativeBash } from '../../src/tools/bash-native.ts';
import { bashKill, bashOutput, endJobs } from '../../src/tools/jobs.ts';
import { tempFolder } from '../support/folders.ts';
import { processesWith } from '../support/processes.ts';
import { callTool } from '../support/tool-call.ts';

let state: ToolState = createToolState();
afterEach(async () => {
  await endJobs(state);
  state = createToolState();
});

const bash = (args: object, signal?: AbortSignal) => {
  const root = tempFolder();
  const env = () => childEnvironment({ ...process.env, HOME: root });
  return callTool(nativeBash({ env }), args, { root, state, ...(signal === undefined ? {} : { signal }) });
};
const output = (args: object = {}) => callTool(bashOutput(), args, { root: tempFolder(), state });
const kill = (id: string) => callTool(bashKill(), { id }, { root: tempFolder(), state });

describe('bash', () => {
  test('in the foreground as in shiro', async () => {
    expect((await bash({ command: 'echo out; exit 2' })).text).toBe('exit code: 2\nstdout:\nout');
  });

  test('in the background: an id at once', async () => {
    expect((await bash({ command: 'sleep 60', background: true })).text).toBe('Started in the background as job-1.');
    expect((await output()).text).toBe('job-1  running  sleep 60');
  });

  test('a command that outlives its time can go on in the background', async () => {
    const { text, code } = await bash({ command: 'echo early; sleep 60', timeout: 300, background: 'on_timeout' });
    expect({ text, code }).toEqual({ text: 'Still running, now in the background as job-1.', code: undefined });
    expect((await output({ id: 'job-1' })).text).toBe('job-1: running\nearly');
  });

  test('one that ends in time is no job', async () => {
    expect((await bash({ command: 'echo quick', background: 'on_timeout' })).text).toBe('exit code: 0\nstdout:\nquick');
    expect((await output()).text).toBe('No background commands.');
  });

  test('an interrupt before the time is over ends it', async () => {
    const stop = new AbortController();
    const running = bash({ command: 'sleep 60', background: 'on_timeout' }, stop.signal);
    setTimeout(() => stop.abort(), 300);
    expect((await running).code).toBe('interrupted');
  });

  test('keeps its schema small', () => {
    const size = ({ name, description, input }: ReturnType<typeof nativeBash>) =>
      JSON.stringify({ name, description, input }).length;
    expect([nativeBash(), bashOutput(), bashKill()].map(size).every((bytes) => bytes <= 700)).toBe(true);
  });
});

describe('bash_output', () => {
  test('gives what is new, then how it ended', async () => {
    await bash({ command: 'echo one; sleep 0.3; echo two >&2; exit 4', background: true });
    expect((await output({ id: 'job-1', pattern: 'one' })).text).toBe('job-1: running\none');
    expect((await output({ id: 'job-1', wait: 20_000 })).text).toBe('job-1: exit code: 4\ntwo');
    expect((await output({ id: 'job-1' })).text).toBe('job-1: exit code: 4\n(no new output)');
  });

  test('waits for a line that matches', async () => {
    await bash({ command: 'echo starting; sleep 0.2; echo "ready on 8080"; sleep 60', background: true });
    expect((await output({ id: 'job-1', pattern: '^ready on \\d+$', wait: 20_000 })).text).toBe(
      'job-1: running\nstarting\nready on 8080',
    );
  });

  test('says when what was waited for did not come', async () => {
    await bash({ command: 'echo no', background: true });
    expect((await output({ id: 'job-1', pattern: 'yes', wait: 20_000 })).text).toBe(
      'job-1: exit code: 0\n"yes" did not come.\nno',
    );
    await bash({ command: 'sleep 60', background: true });
    expect((await output({ id: 'job-2', pattern: 'yes', wait: 0 })).text).toBe(
      'job-2: running\n"yes" did not come.\n(no new output)',
    );
  });

  test('a pattern that makes others slow is no matter; a broken one is an error', async () => {
    await bash({ command: 'printf "%0.sa" $(seq 5000); echo; sleep 60', background: true });
    expect((await output({ id: 'job-1', pattern: '^(a+)+$', wait: 20_000 })).text).toContain('job-1: running\naaaa');
    expect(await output({ id: 'job-1', pattern: '(' })).toMatchObject({ code: 'invalid' });
  });

  test('waits for a port', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const server = `setTimeout(() => require('node:net').createServer().listen(${port}, '127.0.0.1'), 200)`;
    await bash({ command: `'${process.execPath}' -e "${server}"`, background: true });
    expect((await output({ id: 'job-1', port, wait: 25_000 })).text).toBe('job-1: running\n(no new output)');
  });

  test('a port that nobody opens is said to', async () => {
    await bash({ command: 'sleep 60', background: true });
    expect((await output({ id: 'job-1', port: 1, wait: 200 })).text).toBe(
      'job-1: running\nport 1 did not come.\n(no new output)',
    );
  });

  test('long output shows its end and counts the rest', async () => {
    await bash({ command: 'seq 1 50000', background: true });
    const { text } = await output({ id: 'job-1', wait: 20_000 });
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/^job-1: exit code: 0\n\.\.\. \[truncated [\d,]+ chars\]\n\d+\n/);
    expect(text.endsWith('\n49999\n50000')).toBe(true);
  });

  test('a pattern is found behind a flood, whatever its anchors; lines that end in CR are lines', async () => {
    const patterns = ['^done$', '(?i)DONE', '\\Adone\\z', 'y\\n?done|done'];
    await bash({ command: 'yes | head -c 20000000; printf "done\\n"; sleep 60', background: true });
    await bash({ command: 'printf "one\\r\\nready\\r\\n"; sleep 60', background: true });
    const { text } = await output({ id: 'job-1', pattern: patterns[0]!, wait: 60_000 });
    expect(text.endsWith('\ny\ndone')).toBe(true);
    expect((await output({ id: 'job-2', pattern: '^ready\\s*$', wait: 60_000 })).text).toContain('ready');
    for (const pattern of patterns.slice(1)) {
      await bash({ command: 'yes | head -c 2000000; printf "done\\n"; sleep 60', background: true });
      const id = (await output()).text.split('\n').at(-1)!.split(' ')[0]!;
      expect((await output({ id, pattern, wait: 60_000 })).text).not.toContain('did not come');
    }
  });

  test('what is out of bounds is told with its unit, a wrong choice with the right ones', async () => {
    expect((await output({ id: 'job-1', wait: 600_001 })).text).toContain(
      'field "wait" must be at most 600000, got 600001 (most ms to wait, default 30000)',
    );
    expect((await bash({ command: 'true', background: 'yes' })).text).toContain(
      'field "background" must be boolean | "on_timeout", got a string "yes". Expected: {"command": string, "timeout"?: integer, "background"?: boolean | "on_timeout"}',
    );
  });

  test('an unknown id names the known ones', async () => {
    expect(await output({ id: 'job-9' })).toMatchObject({
      code: 'missing',
      text: 'No background command job-9. There is none.',
    });
    await bash({ command: 'sleep 60', background: true });
    expect((await output({ id: 'job-9' })).text).toBe('No background command job-9. There are: job-1.');
  });
});

describe('bash_kill', () => {
  test('ends a job with all it started and gives the rest of its output', async () => {
    const tag = `job-test-${process.pid}`;
    await bash({ command: `export TAG=${tag}; echo up; setsid sleep 300 & sleep 300`, background: true });
    await output({ id: 'job-1', pattern: 'never', wait: 1_000 });
    expect((await kill('job-1')).text).toBe('Ended job-1.\n(no new output)');
    expect(processesWith(tag)).toEqual([]);
    expect((await output()).text).toBe('No background commands.');
  });

  test('of one that has ended says how', async () => {
    await bash({ command: 'echo bye; exit 3', background: true });
    await output({ id: 'job-1', pattern: 'never', wait: 20_000 });
    expect((await kill('job-1')).text).toBe('job-1 had ended before: exit code: 3.\n(no new output)');
  });
});

test('a session that closes takes its jobs along', async () => {
  const tag = `job-end-${process.pid}`;
  await bash({ command: `export TAG=${tag}; sleep 300`, background: true });
  await endJobs(state);
  expect(processesWith(tag)).toEqual([]);
});
