import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { masker } from '../../src/process/mask.ts';
import { type RunOptions, run, start } from '../../src/process/run.ts';
import { shellInvocation } from '../../src/process/shell.ts';
import { tempFolder } from '../support/folders.ts';
import { processesWith, until, zombies } from '../support/processes.ts';

const sh = (command: string, more: Partial<RunOptions> = {}) =>
  run({ file: '/bin/sh', args: ['-c', command], cwd: tmpdir(), env: childEnvironment(), ...more });
const linux = process.platform === 'linux';

describe('ending', () => {
  test('a program that reads its output, where it would find a terminal, meets the end at once', async () => {
    const { stdout, ending } = await run({
      file: '/bin/sh',
      args: ['-c', 'cat <&1 >/dev/null; cat <&2 >/dev/null; echo out; echo err >&2'],
      cwd: '/',
      env: childEnvironment(),
      timeoutMs: 20_000,
    });
    expect([stdout.head, ending]).toEqual(['out\n', { type: 'exit', code: 0 }]);
  });

  test('by code, by signal', async () => {
    expect((await sh('exit 3')).ending).toEqual({ type: 'exit', code: 3 });
    expect((await sh('kill -SEGV $$')).ending).toEqual({ type: 'signal', signal: 'SIGSEGV' });
    expect((await sh('sh -c "kill -KILL \\$\\$"; exit $?')).ending).toEqual({ type: 'signal', signal: 'SIGKILL' });
    expect((await sh('exit 141')).ending).toEqual({ type: 'exit', code: 141 });
  });

  test('a program that is not there, a folder that is not there', async () => {
    await expect(
      run({ file: 'no-such-program', args: [], cwd: tmpdir(), env: childEnvironment() }),
    ).rejects.toMatchObject({
      code: 'failed',
      message: 'no-such-program is not installed. Nothing was run.',
    });
    await expect(sh('true', { cwd: '/no/such/folder' })).rejects.toMatchObject({ code: 'missing' });
  });

  test('an endless command line is refused by the system, not a crash', async () => {
    await expect(sh(`true ${'x'.repeat(3_000_000)}`)).rejects.toMatchObject({ code: 'invalid' });
  });

  test.skipIf(!linux)('what left the process group goes too, found by its marker', async () => {
    const tag = `run-test-${process.pid}-a`;
    const { killed } = await sh(`TAG=${tag} setsid sh -c 'sleep 300; :' > /dev/null 2>&1 & sleep 0.1; echo started`);
    expect(processesWith(tag)).toEqual([]);
    expect(killed.join()).toMatch(/sh \(\d+\)|sleep \(\d+\)/);
  });

  test.skipIf(!linux).each(['login', 'posix'] as const)(
    'a daemon that left group and session and emptied its environment goes too, and is named: %s',
    async (kind) => {
      const tag = `7310${process.pid}`;
      const home = { ...childEnvironment(), HOME: tempFolder() };
      const command = `(setsid env -i /bin/sh -c 'exec 0<&- 1>&- 2>&-; cd /; sleep ${tag}' &) ; (setsid -f env -i /bin/sleep ${tag} >/dev/null 2>&1); sleep 0.3; echo ok`;
      const shell = shellInvocation(kind, command);
      const { killed, held, stdout } = await run({ ...shell, cwd: tmpdir(), env: home });
      expect([stdout.head, held]).toEqual(['ok\n', false]);
      expect(killed.map((name) => name.split(' ')[0]).sort()).toEqual(['sh', 'sleep', 'sleep']);
      expect(processesWith(tag)).toEqual([]);
    },
  );

  test.skipIf(!linux)('what ignores SIGTERM is killed, also when it was stopped', async () => {
    const tag = `run-test-${process.pid}-b`;
    const command = `export TAG=${tag}; trap '' TERM HUP; (trap '' TERM; while :; do sleep 1; done) & sh -c 'kill -STOP $$' & sleep 300`;
    expect((await sh(command, { timeoutMs: 300 })).ending).toEqual({ type: 'timeout', afterMs: 300 });
    expect(processesWith(tag)).toEqual([]);
  });

  test.skipIf(!linux)('returns although an unknown process holds the output open, and says so', async () => {
    const tag = `run-test-${process.pid}-c`;
    const started = Date.now();
    // Without marker, parent or group there is nothing left to know it by.
    const result = await sh(`(env -i setsid sh -c 'sleep 8 # ${tag}' &) ; sleep 0.3; echo started`);
    expect(result).toMatchObject({ held: true, ending: { type: 'exit', code: 0 } });
    expect(result.stdout.head).toBe('started\n');
    expect(Date.now() - started).toBeLessThan(6000);
    for (const pid of processesWith(tag)) process.kill(pid, 'SIGKILL');
  });

  test('an abort interrupts', async () => {
    const stop = new AbortController();
    const running = sh('echo before; sleep 60', { signal: stop.signal, onOutput: () => stop.abort() });
    expect(await running).toMatchObject({ ending: { type: 'interrupted' }, stdout: { head: 'before\n' } });
  });

  test('a fork storm is ended', async () => {
    const tag = `run-test-${process.pid}-d`;
    await sh(
      `export TAG=${tag}; storm() { i=0; while [ $i -lt 40 ]; do (sleep 100 & sleep 100) & i=$((i+1)); done; wait; }; storm`,
      { timeoutMs: 500 },
    );
    if (linux) expect(processesWith(tag)).toEqual([]);
  });
});

describe('our own end', () => {
  test.skipIf(!linux)('a crash takes the running commands with it', async () => {
    const tag = `run-test-${process.pid}-e`;
    const script = `
      const { start } = await import(${JSON.stringify(new URL('../../src/process/run.ts', import.meta.url).href)});
      await start({ file: '/bin/sh', args: ['-c', 'export TAG=${tag}; ulimit -w $BENCHDOG_CALL || ulimit -x $BENCHDOG_CALL; setsid sleep 300 & setsid env -i TAG=${tag} sleep 300 & sleep 300'], cwd: '/', env: { PATH: process.env.PATH } });
      console.log('up'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await until(() => processesWith(tag).length >= 4);
    child.kill('SIGKILL');
    await until(() => processesWith(tag).length === 0);
  });
});

describe('output', () => {
  test('a character cut by a chunk border is whole', async () => {
    const { stdout } = await sh("printf '\\303'; sleep 0.1; printf '\\244\\n'");
    expect(stdout.head).toBe('ä\n');
  });

  test('300 MB without a line end: head, tail, bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const result = await sh("head -c 300000000 /dev/zero | tr '\\0' x; echo; echo END");
    expect(result.ending).toEqual({ type: 'exit', code: 0 });
    expect(result.stdout.bytes).toBe(300_000_005);
    expect(result.stdout.tail.endsWith('x\nEND\n')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  test('a flood on one stream leaves the few lines of the other whole', async () => {
    const mask = masker(['zzz-secret-value']);
    const { stdout, stderr } = await sh(
      'echo before; yes | head -c 70000000 >&2; echo "zzz-secret-value"; printf "end ä"',
      { mask },
    );
    expect(stdout).toMatchObject({ head: 'before\n[masked]\nend ä', tail: '', lost: 0 });
    expect(stderr.bytes).toBe(70_000_000);
  });

  test('more than 64 MB goes to the file as head and tail', async () => {
    const folder = join(tempFolder(), 'out');
    const { spooled } = await sh('yes abcdefg | head -c 80000000; echo END', { spool: { folder, id: 'big' } });
    expect(spooled).toBe(join(folder, 'big'));
    const whole = readFileSync(spooled!, 'latin1');
    expect(whole.length).toBeGreaterThan(62e6);
    expect(whole.length).toBeLessThan(68e6);
    expect(whole).toMatch(/\n\.\.\. \[[\d,]+ bytes left out\]\n/);
    expect(whole.endsWith('abcdefg\nEND\n')).toBe(true);
    expect(statSync(spooled!).mode & 0o777).toBe(0o600);
  });

  test('secrets in the file are masked too', async () => {
    const folder = join(tempFolder(), 'out');
    const mask = masker(['zzz-secret-value']);
    const { spooled } = await sh('yes "some text zzz-secret-value more" | head -c 200000', {
      spool: { folder, id: 'x' },
      mask,
    });
    expect(readFileSync(spooled!, 'utf8')).not.toContain('zzz-secret');
  });

  test('a state folder that can’t be written does not end the command', async () => {
    const folder = join(tempFolder({ file: '' }), 'file', 'below');
    const result = await sh('seq 1 20000', { spool: { folder, id: 'x' } });
    expect(result.ending).toEqual({ type: 'exit', code: 0 });
    expect(result.spooled).toBeUndefined();
  });

  test('a taken id gets a number', async () => {
    const folder = tempFolder({ x: 'theirs' });
    const { spooled } = await sh('seq 1 20000', { spool: { folder, id: 'x' } });
    expect(spooled).toBe(join(folder, 'x-2'));
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('theirs');
  });
});

test.skipIf(!linux)(
  '200 commands, some escaping, some flooding, some killed, leave no process and no file',
  async () => {
    const tag = `run-test-${process.pid}-f`;
    const folder = tempFolder();
    const kinds = [
      'echo fine',
      'setsid sleep 300 &',
      `setsid env -i TAG=${tag} /bin/sleep 300 > /dev/null 2>&1 &`,
      "trap '' TERM; (trap '' TERM; setsid sleep 300) & echo stubborn",
      'yes | head -c 1000000',
      'sleep 300',
      'kill -KILL $$',
      'sleep 300 & exit 3',
    ];
    const open = readdirSync('/proc/self/fd').length;
    const types = new Set<string>();
    for (let wave = 0; wave < 4; wave += 1) {
      const commands = Array.from({ length: 50 }, (_, at) => `export TAG=${tag}; ${kinds[(wave + at) % kinds.length]}`);
      const one = (command: string) =>
        run({ ...shellInvocation('posix', command), cwd: folder, env: childEnvironment(), timeoutMs: 800 });
      const results = await Promise.all(commands.map(one));
      for (const { ending } of results) types.add(ending.type);
    }
    expect(types).toEqual(new Set(['exit', 'timeout', 'signal']));
    await until(() => processesWith(tag).length === 0);
    expect(zombies()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open + 4);
  },
  120_000,
);

test('a running program can be stopped, and freed of its limit', async () => {
  const running = await start({
    file: '/bin/sh',
    args: ['-c', 'sleep 2.5; echo done'],
    cwd: tmpdir(),
    env: childEnvironment(),
    timeoutMs: 2000,
  });
  running.unlimit();
  expect((await running.done).stdout.head).toBe('done\n');
  const other = await start({ file: '/bin/sh', args: ['-c', 'sleep 60'], cwd: tmpdir(), env: childEnvironment() });
  other.stop({ type: 'interrupted' });
  expect((await other.done).ending).toEqual({ type: 'interrupted' });
  expect(existsSync('/proc/self') ? existsSync(`/proc/${other.pid}`) : false).toBe(false);
});
