/**
 * What running a command costs: `true` against a bare spawn of the same shell, in the sandbox against bare bubblewrap with
 * the same arguments, and a gigabyte of output against a bare reader. `npx tsx bench/commands.ts [start|sandbox|flood|bare]`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../src/process/environment.ts';
import { masker } from '../src/process/mask.ts';
import { run } from '../src/process/run.ts';
import { openSandbox } from '../src/process/sandbox.ts';
import { type Invocation, shellInvocation } from '../src/process/shell.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-bench-')));
const env = childEnvironment({ ...process.env, HOME: folder });
const mode = process.argv[2] ?? 'start';
const flood = 'yes | head -c 1000000000';

const bare = ({ file, args }: Invocation, onData: (chunk: Buffer) => void = () => {}): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('close', () => resolve());
  });
const ours = ({ file, args }: Invocation) => run({ file, args, cwd: folder, env, mask: masker(['a-known-secret']) });

/** Medians of turns taken in alternation, so that a busy machine hits both alike. */
async function compare(name: string, first: () => Promise<unknown>, second: () => Promise<unknown>, rounds: number) {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, task] of [first, second].entries()) {
      const start = performance.now();
      await task();
      times[at]!.push(performance.now() - start);
    }
  }
  const [a, b] = times.map((list) => list.sort((x, y) => x - y)[Math.floor(list.length / 2)]!);
  console.log(`${name}: bare ${a!.toFixed(1)} ms, ours ${b!.toFixed(1)} ms, ratio ${(b! / a!).toFixed(2)}`);
}

async function floodOnce(task: () => Promise<unknown>) {
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const start = performance.now();
  await task();
  clearInterval(sample);
  const cpu = process.cpuUsage();
  console.log(
    `${mode}: ${Math.round(performance.now() - start)} ms, cpu ${Math.round((cpu.user + cpu.system) / 1000)} ms, peak ${Math.round(peak / 1e6)} MB`,
  );
}

const login = shellInvocation('login', 'true');
if (mode === 'start') {
  await compare(
    'true, login bash',
    () => bare({ file: login.file, args: ['-lc', 'true'] }),
    () => ours(login),
    41,
  );
  const posix: Invocation = { file: '/bin/sh', args: ['-c', 'true'] };
  await compare(
    'true, sh',
    () => bare(posix),
    () => ours(shellInvocation('posix', 'true')),
    41,
  );
}
if (mode === 'sandbox') {
  const sandbox = await openSandbox({ mode: 'require', root: folder });
  const plain = sandbox.wrap({ file: login.file, args: ['-lc', 'true'] }, folder);
  await compare(
    'true, sandboxed',
    () => bare(plain),
    () => ours(sandbox.wrap(login, folder)),
    41,
  );
}
if (mode === 'flood') await floodOnce(() => ours({ file: '/bin/sh', args: ['-c', flood] }));
if (mode === 'spool') {
  await floodOnce(() =>
    run({
      file: '/bin/sh',
      args: ['-c', flood],
      cwd: folder,
      env,
      mask: masker(['a-known-secret']),
      spool: { folder, id: 'out' },
    }),
  );
}
if (mode === 'bare') await floodOnce(() => bare({ file: '/bin/sh', args: ['-c', flood] }));
rmSync(folder, { recursive: true, force: true });
