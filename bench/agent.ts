import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SeenRequest, type ServerReply, startModelServer } from '../test/support/model-server.ts';
import { type Comparison, compare } from './measure.ts';

const cli = join(import.meta.dirname, '../dist/cli.js');
const floorAgent = join(import.meta.dirname, 'floor-agent.mjs');

/** Whole runs of the command against a bare agent of one file: start to exit, 30 steps, memory, bytes of the first request. */
export async function run(): Promise<Comparison[]> {
  needFreshBuild();
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  const server = await startModelServer(script);
  try {
    const place: Place = { ws: join(scratch, 'ws'), home: join(scratch, 'home'), url: server.url };
    layOut(place.ws);
    const one = await oneAnswer(place);
    const thirty = await thirtySteps(place);
    const results = [one, thirty, ownTime(one, thirty), await memory(place)];
    for (const [name, flags, limit] of firstRequests) {
      await start(ours(place, 'one', flags), place);
      results.push(firstRequest(name, server.requests.at(-1)!, limit));
    }
    return results;
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Figures of another program than the one in src/ are worse than none. */
function needFreshBuild(): void {
  if (!existsSync(cli)) throw new Error('dist/cli.js is missing: run npm run build first.');
  const source = join(import.meta.dirname, '../src');
  const built = statSync(cli).mtimeMs;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const newer = files.find((name) => statSync(join(source, name)).mtimeMs > built);
  if (newer !== undefined) throw new Error(`src/${newer} is newer than dist/cli.js: run npm run build first.`);
}

const firstRequests: readonly (readonly [name: string, flags: readonly string[], limit: number])[] = [
  ['first request, core set', ['--tools', ''], 6 * 1024],
  ['first request, all of native', [], 16 * 1024],
];

interface Place {
  readonly ws: string;
  readonly home: string;
  readonly url: string;
}

/** Six rounds of read, grep, exact edit, an empty command and glob; a prompt of `one` gets one text answer. */
function script({ body }: SeenRequest): ServerReply {
  const prompt = body.messages.find((message: { role: string }) => message.role === 'user').content;
  const step = body.messages.filter((message: { role: string }) => message.role === 'assistant').length;
  if (prompt === 'one' || step >= 30) return { text: 'Done.' };
  const round = Math.floor(step / 5);
  const kinds = [
    { tool: 'read_file', arguments: { path: 'src/file7.ts' } },
    { tool: 'grep', arguments: { pattern: 'needle' } },
    {
      tool: 'edit_file',
      arguments: { path: 'src/file7.ts', oldString: `value${round}`, newString: `value${round + 1}` },
    },
    { tool: 'bash', arguments: { command: `true ${round}` } },
    { tool: 'glob', arguments: { pattern: '**/*.ts' } },
  ];
  return { calls: [{ id: `call_${step}`, ...kinds[step % 5]! }] };
}

function layOut(ws: string): void {
  mkdirSync(join(ws, 'src'), { recursive: true });
  for (let at = 0; at < 64; at += 1) {
    writeFileSync(join(ws, 'src', `file${at}.ts`), `export const needle${at} = 'value0';\n`.repeat(at === 7 ? 1 : 20));
  }
}

function ours({ url, home }: Place, prompt: string, flags: readonly string[] = []): Command {
  const args = [
    cli,
    '-p',
    prompt,
    '--model',
    'openai-compatible/bench',
    '--base-url',
    url,
    '--approve',
    'all',
    ...flags,
  ];
  return { args, env: { BENCHDOG_HOME: home } };
}

function floor({ url }: Place, prompt: string): Command {
  return { args: [floorAgent, url, prompt], env: {} };
}

interface Command {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** Starts a program in the workspace, with a home of its own so that no profile slows its shells, and waits for its end; gives the peak of the resident memory of all its processes together in MB. */
function start({ args, env }: Command, { ws, home }: Place): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ws,
      env: { ...process.env, HOME: home, ...env },
      stdio: 'ignore',
    });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, treeOf(child.pid!));
    }, 10);
    child.on('error', reject);
    child.on('exit', () => {
      clearInterval(watch);
      resolve(peak);
    });
  });
}

/** What a process and all below it hold at this moment, in MB; shared pages count in each. */
function treeOf(pid: number): number {
  const own = numberIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m) / 1024;
  const below = textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((one) => one !== '');
  return below.reduce((sum, child) => sum + treeOf(Number(child)), own);
}

function numberIn(path: string, pattern: RegExp): number {
  return Number(pattern.exec(textOf(path))?.[1] ?? 0);
}

/** A process that has just ended holds nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function oneAnswer(place: Place): Promise<Comparison> {
  return compare({
    name: 'one text answer, start to exit',
    against: 'bare agent',
    ours: () => start(ours(place, 'one'), place),
    floor: () => start(floor(place, 'one'), place),
    limit: 0.2 / 0.075,
  });
}

function thirtySteps(place: Place): Promise<Comparison> {
  return compare({
    name: '30 steps with tools, start to exit',
    against: 'bare agent',
    rounds: 5,
    before: () => layOut(place.ws),
    ours: () => start(ours(place, 'thirty'), place),
    floor: () => start(floor(place, 'thirty'), place),
  });
}

/** What one of the 30 steps costs: the run less one of a single answer. Where the bare agent needs 5.6 ms, 10 are the limit. */
function ownTime(one: Comparison, thirty: Comparison): Comparison {
  const ours = (thirty.ours - one.ours) / 30;
  const floor = (thirty.floor - one.floor) / 30;
  return {
    name: 'a step of 30',
    against: 'bare agent',
    ours,
    floor,
    ratio: ours / floor,
    limit: 10 / 5.6,
    unit: thirty.unit,
  };
}

async function memory(place: Place): Promise<Comparison> {
  layOut(place.ws);
  const peak = await start(ours(place, 'thirty'), place);
  return {
    name: 'peak memory of all processes in 30 steps',
    against: 'aim',
    ours: peak,
    floor: 100,
    ratio: peak / 100,
    limit: 1,
    unit: 'MB',
  };
}

function firstRequest(name: string, { text }: SeenRequest, limit: number): Comparison {
  const size = Buffer.byteLength(text);
  return {
    name,
    against: 'aim',
    ours: size,
    floor: limit,
    ratio: size / limit,
    limit: 1,
    unit: 'B',
  };
}
