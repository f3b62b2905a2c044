import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { nobody } from '../src/gate/approver.ts';
import { type Comparison, compare } from './measure.ts';

/** Edits and patches through the gate, against the bare file system and `git apply`. */
export async function run(): Promise<Comparison[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  try {
    const folder = join(scratch, 'ws');
    mkdirSync(folder);
    const app = await createApp({
      flags: { root: folder, approve: 'all' },
      env: { ...process.env, BENCHDOG_HOME: join(scratch, 'home') },
      session: 'bench',
      approver: nobody,
    });
    const results = [await largeEdit(app, folder), await smallEdit(app, folder), await patch(app, folder)];
    await app.close();
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function largeEdit(app: App, folder: string): Promise<Comparison> {
  const file = join(folder, 'large.txt');
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at} ${'x'.repeat(40)}`);
  const reset = () => writeFileSync(file, lines.join('\n'));
  return compare({
    name: 'exact edit in a 5 MB file',
    against: 'read + indexOf + temp + fsync + rename',
    before: reset,
    ours: () => edit(app, 'large.txt', 'line 50000 ', 'LINE 50000 '),
    floor: () => plainEdit(file, 'line 50000 ', 'LINE 50000 '),
    limit: 1.5,
  });
}

async function smallEdit(app: App, folder: string): Promise<Comparison> {
  const file = join(folder, 'small.txt');
  return compare({
    name: 'exact edit in a small file',
    against: 'read + indexOf + temp + fsync + rename',
    before: () => writeFileSync(file, 'one\ntwo\nthree\n'),
    ours: () => edit(app, 'small.txt', 'two', 'TWO'),
    floor: () => plainEdit(file, 'two', 'TWO'),
    rounds: 25,
  });
}

async function patch(app: App, folder: string): Promise<Comparison> {
  const names = Array.from({ length: 50 }, (_, at) => `src/file-${at}.txt`);
  const body = Array.from({ length: 60 }, (_, at) => `line ${at}`);
  const sections = names.map(
    (name) => `--- a/${name}\n+++ b/${name}\n@@ -29,3 +29,3 @@\n line 28\n-line 29\n+LINE 29\n line 30\n`,
  );
  const text = sections.join('');
  mkdirSync(join(folder, 'src'), { recursive: true });
  const patchFile = join(folder, '..', 'fifty.patch');
  writeFileSync(patchFile, text);
  const reset = () => {
    for (const name of names) writeFileSync(join(folder, name), `${body.join('\n')}\n`);
  };
  return compare({
    name: '50-file patch',
    against: 'git apply + fsync of each file',
    before: reset,
    ours: () => call(app, 'apply_patch', { patch: text }),
    floor: () => {
      execFileSync('git', ['apply', patchFile], { cwd: folder });
      for (const name of names) flush(join(folder, name));
    },
    limit: 2,
  });
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
  flush(`${file}.tmp`);
  renameSync(`${file}.tmp`, file);
}

function edit(app: App, path: string, oldString: string, newString: string): Promise<void> {
  return call(app, 'edit_file', { path, oldString, newString });
}

async function call(app: App, tool: string, args: unknown): Promise<void> {
  const result = await app.gate.call({ id: 'bench', tool, args });
  if (!result.ok) throw new Error(result.text);
}
