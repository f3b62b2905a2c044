import { fork } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../src/base/error.ts';
import { childEnvironment } from '../src/process/environment.ts';
import { masker } from '../src/process/mask.ts';
import { run as runCommand } from '../src/process/run.ts';
import { openSandbox } from '../src/process/sandbox.ts';
import { type Invocation, shellInvocation } from '../src/process/shell.ts';
import { bareRun } from './bare-run.ts';
import type { FloodReport } from './flood.ts';
import { type Comparison, compare, median } from './measure.ts';

/**
 * What running a command costs: `true` against a bare spawn of the same shell, in the sandbox against bare bubblewrap with
 * the same arguments, and a gigabyte of output against a bare reader.
 */
export async function run(): Promise<Comparison[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-bench-')));
  try {
    const place = { cwd: folder, env: childEnvironment({ ...process.env, HOME: folder }) };
    return [...(await starts(place)), ...(await sandboxed(place)), ...(await floods())];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const rounds = 21;

function ours({ file, args }: Invocation, place: Place): Promise<unknown> {
  return runCommand({ file, args, ...place, mask: masker(['a-known-secret']) });
}

async function starts(place: Place): Promise<Comparison[]> {
  const login = shellInvocation('login', 'true');
  const posix = shellInvocation('posix', 'true');
  const one = (name: string, args: string[], invocation: Invocation) =>
    compare({
      name,
      against: 'bare spawn',
      ours: () => ours(invocation, place),
      floor: () => bareRun({ file: invocation.file, args }, place),
      rounds,
      limit: 1.5,
    });
  return [await one('true, login bash', ['-lc', 'true'], login), await one('true, sh', ['-c', 'true'], posix)];
}

/** Nothing where there is no bubblewrap. */
async function sandboxed(place: Place): Promise<Comparison[]> {
  try {
    const sandbox = await openSandbox({ mode: 'require', root: place.cwd });
    const login = shellInvocation('login', 'true');
    const wrapped = sandbox.wrap(login, place.cwd);
    const plain = sandbox.wrap({ file: login.file, args: ['-lc', 'true'] }, place.cwd);
    return [
      await compare({
        name: 'true, sandboxed',
        against: 'bare bubblewrap',
        ours: () => ours(wrapped, place),
        floor: () => bareRun(plain, place),
        rounds,
        limit: 1.3,
      }),
    ];
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** Each in a process of its own, whose memory nothing else has grown. */
async function floods(): Promise<Comparison[]> {
  const reports: { readonly ours: FloodReport; readonly bare: FloodReport }[] = [];
  for (let round = 0; round < 3; round += 1) reports.push({ ours: await flood('ours'), bare: await flood('bare') });
  const time = { ours: median(reports.map((one) => one.ours.ms)), floor: median(reports.map((one) => one.bare.ms)) };
  const peak = Math.max(...reports.map((one) => one.ours.peakMb));
  const ratio = median(reports.map((one) => one.ours.ms / one.bare.ms));
  return [
    { name: '1 GB of output', against: 'bare reader', ...time, ratio, limit: 1.4, unit: 'ms' },
    {
      name: '1 GB of output, peak',
      against: 'allowed',
      ours: peak,
      floor: 120,
      ratio: peak / 120,
      limit: 1,
      unit: 'MB',
    },
  ];
}

function flood(how: 'ours' | 'bare'): Promise<FloodReport> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./flood.ts', import.meta.url), [how]);
    child.once('message', (report) => resolve(report as FloodReport));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the flood ended early, exit code ${code}`)));
  });
}
