import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { nobody } from '../src/gate/approver.ts';
import type { JudgedCall } from '../src/gate/verdict.ts';
import { type Comparison, median } from './measure.ts';

/** What one verdict costs: a call is parsed and its effects are named, the rules and guards are asked. Microseconds. */
export async function run(): Promise<Comparison[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  try {
    const app = await createApp({
      flags: { root: scratch, allow: ['bash:npm test*', 'bash:git *'], deny: ['bash:git push*', 'write_file:dist/*'] },
      env: { ...process.env, BENCHDOG_HOME: join(scratch, 'home') },
      session: 'bench',
      approver: nobody,
    });
    const results = [];
    for (const [name, make] of Object.entries(typical)) results.push(await judging(app, name, make));
    await app.close();
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Request {
  readonly tool: string;
  readonly args: object;
}

/** No two calls of a kind are the same: nothing is answered from memory. */
const typical: Readonly<Record<string, (at: number) => Request>> = {
  'a read': (at) => ({ tool: 'read_file', args: { path: `src/part-${at}/file.ts` } }),
  'an edit': (at) => ({ tool: 'edit_file', args: { path: `src/${at}.ts`, oldString: 'a', newString: 'b' } }),
  'a command': (at) => ({ tool: 'bash', args: { command: `git log -n ${at}` } }),
  'a line of commands': (at) => ({
    tool: 'bash',
    args: { command: `npm test -- part-${at} 2>&1 | tail -20 && git diff --stat > out-${at}.txt` },
  }),
};

const rounds = 2000;
const allowed = 50;

async function judging(app: App, name: string, make: (at: number) => Request): Promise<Comparison> {
  const calls: JudgedCall[] = [];
  for (let at = 0; at < 2 * rounds; at += 1) calls.push((await app.gate.judge(make(at))).call);
  const times = calls.map((call) => {
    const start = process.hrtime.bigint();
    app.policy.judge(call);
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  const ours = median(times.slice(rounds));
  return {
    name: `judging ${name}`,
    against: 'allowed',
    ours,
    floor: allowed,
    ratio: ours / allowed,
    limit: 1,
    unit: 'µs',
  };
}
