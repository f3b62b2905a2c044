import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { nobody } from '../src/gate/approver.ts';
import { type Comparison, compare } from './measure.ts';

/**
 * Edits and patches through the gate, against the bare file system and `git apply`. Every file begins a round at rest: with
 * bytes that no round before had, on the disk.
 */
export async function run(): Promise<Comparison[]> {
  return [...(await withApp(tmpdir(), onDisk)), ...(existsSync(memory) ? await withApp(memory, inMemory) : [])];
}

/** A file system in memory, where a sync costs nothing: what is left is our own time. */
const memory = '/dev/shm';

async function withApp(place: string, measure: (bench: Bench) => Promise<Comparison[]>): Promise<Comparison[]> {
  const scratch = mkdtempSync(join(place, 'benchdog-bench-'));
  try {
    const folder = join(scratch, 'ws');
    mkdirSync(folder);
    const app = await createApp({
      flags: { root: folder, approve: 'all' },
      env: { ...process.env, BENCHDOG_HOME: join(scratch, 'home') },
      session: 'bench',
      approver: nobody,
    });
    const results = await measure({ app, folder });
    await app.close();
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Bench {
  readonly app: App;
  readonly folder: string;
}

async function onDisk(bench: Bench): Promise<Comparison[]> {
  const plain = 'read + indexOf + temp + rename';
  return [
    await largeEdit(bench, { against: `${plain} + fsync of log record, temp and folder`, floor: safeEdit, limit: 1.5 }),
    await largeEdit(bench, { against: `${plain}, nothing on the disk`, floor: plainEdit }),
    await smallEdit(bench),
    await patch(bench, { against: 'git apply + fsync of each file and folder', synced: true, limit: 2 }),
    await patch(bench, { against: 'git apply, nothing on the disk', synced: false }),
  ];
}

async function inMemory(bench: Bench): Promise<Comparison[]> {
  const { ours, floor } = await smallEdit(bench, 400);
  const own = ours - floor;
  const name = 'small edit, our own time besides fsync';
  return [{ name, against: 'allowed', ours: own, floor: 1, ratio: own, limit: 1, unit: 'ms' }];
}

interface Floor {
  readonly against: string;
  readonly floor: (file: string, from: string, to: string) => void;
  readonly limit?: number;
}

function largeEdit({ app, folder }: Bench, { floor, ...rest }: Floor): Promise<Comparison> {
  const file = join(folder, 'large.txt');
  const lines = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `line ${at} ${'x'.repeat(40)}`).join('\n'));
  return compare({
    name: 'exact edit in a 5 MB file',
    before: () => settle(file, lines),
    ours: () => edit(app, 'large.txt', 'line 50000 ', 'LINE 50000 '),
    floor: () => floor(file, 'line 50000 ', 'LINE 50000 '),
    rounds: 15,
    ...rest,
  });
}

function smallEdit({ app, folder }: Bench, rounds = 25): Promise<Comparison> {
  const file = join(folder, 'small.txt');
  return compare({
    name: 'exact edit in a small file',
    against: 'read + indexOf + temp + rename + fsync of log record, temp and folder',
    before: () => settle(file, 'one\ntwo\nthree\n'),
    ours: () => edit(app, 'small.txt', 'two', 'TWO'),
    floor: () => safeEdit(file, 'two', 'TWO'),
    rounds,
    warmup: rounds,
  });
}

interface PatchFloor {
  readonly against: string;
  readonly synced: boolean;
  readonly limit?: number;
}

function patch({ app, folder }: Bench, { synced, ...rest }: PatchFloor): Promise<Comparison> {
  const names = Array.from({ length: 50 }, (_, at) => `src/file-${at}.txt`);
  const body = `${Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')}\n`;
  const text = names
    .map((name) => `--- a/${name}\n+++ b/${name}\n@@ -31,3 +31,3 @@\n line 29\n-line 30\n+LINE 30\n line 31\n`)
    .join('');
  mkdirSync(join(folder, 'src'), { recursive: true });
  const patchFile = join(folder, '..', 'fifty.patch');
  writeFileSync(patchFile, text);
  return compare({
    name: '50-file patch',
    before: () => {
      for (const name of names) settle(join(folder, name), body);
    },
    ours: () => call(app, 'apply_patch', { patch: text }),
    floor: () => {
      execFileSync('git', ['apply', patchFile], { cwd: folder });
      if (synced) for (const name of [...names, 'src']) flush(join(folder, name));
    },
    ...rest,
  });
}

let round = 0;

/**
 * Writes a file as it lies about in a work tree: unlike any before it, and long on the disk. Nothing large is made for it,
 * which would be cleared away during somebody's turn.
 */
function settle(file: string, text: string | Buffer): void {
  round += 1;
  const fd = openSync(file, 'w');
  writeSync(fd, `round ${round}\n`);
  writeSync(fd, text as string);
  closeSync(fd);
  flush(file);
  flush(dirname(file));
}

function flush(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

function plainEdit(file: string, from: string, to: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(from);
  const after = Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)]);
  writeFileSync(`${file}.tmp`, after);
  renameSync(`${file}.tmp`, file);
}

/** The same with what no crash-safe edit can do without: its intention, its bytes and its name each on the disk in time. */
function safeEdit(file: string, from: string, to: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(from);
  const after = Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)]);
  const log = openSync(join(dirname(file), '..', 'floor.jsonl'), 'a');
  writeSync(log, `${JSON.stringify({ file, from, to })}\n`);
  fsyncSync(log);
  closeSync(log);
  writeFileSync(`${file}.tmp`, after);
  flush(`${file}.tmp`);
  renameSync(`${file}.tmp`, file);
  flush(dirname(file));
}

function edit(app: App, path: string, oldString: string, newString: string): Promise<void> {
  return call(app, 'edit_file', { path, oldString, newString });
}

async function call(app: App, tool: string, args: unknown): Promise<void> {
  const result = await app.gate.call({ id: 'bench', tool, args });
  if (!result.ok) throw new Error(result.text);
}
