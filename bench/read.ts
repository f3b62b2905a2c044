import { closeSync, mkdtempSync, openSync, readSync, rmSync, statfsSync, utimesSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { nobody } from '../src/gate/approver.ts';
import { type Comparison, compare } from './measure.ts';

const megabyte = 1024 * 1024;

/**
 * Windows of large files through the gate, against a bare scan for newlines, page cache warm. The file's time changes
 * before each call, so that nothing remembered of it counts.
 */
export async function run(): Promise<Comparison[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  try {
    const app = await createApp({
      flags: { root: scratch, approve: 'all' },
      env: { ...process.env, BENCHDOG_HOME: join(scratch, 'home') },
      session: 'bench',
      approver: nobody,
    });
    const results = await windows(app, scratch, '50 MB', 50 * megabyte);
    const { bavail, bsize } = statfsSync(scratch);
    if (bavail * bsize > 4096 * megabyte) results.push(...(await windows(app, scratch, '1 GB', 1024 * megabyte)));
    await app.close();
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function windows(app: App, folder: string, size: string, bytes: number): Promise<Comparison[]> {
  const name = `${size}.txt`;
  const file = join(folder, name);
  const lines = writeLines(file, bytes);
  const deep = Math.floor(lines * 0.8);
  const read = (offset: number) => async () => {
    const result = await app.gate.call({ id: 'bench', tool: 'read_file', args: { path: name, offset, limit: 200 } });
    if (!result.ok || !result.text.startsWith(`${offset}: line ${offset} `)) throw new Error(result.text.slice(0, 200));
  };
  const before = () => utimesSync(file, new Date(), new Date());
  const start = await compare({
    name: `200 lines at the start of ${size}`,
    against: 'scan',
    before,
    ours: read(1),
    floor: () => scan(file, 200),
    rounds: 25,
  });
  return [
    { ...start, against: 'allowed', floor: 2, ratio: start.ours / 2, limit: 1 },
    await compare({
      name: `200 lines at line ${deep} of ${size}`,
      against: 'scan for newlines',
      before,
      ours: read(deep),
      floor: () => scan(file, deep + 200),
      rounds: bytes > 100 * megabyte ? 3 : 9,
      warmup: 1,
      limit: 1.5,
    }),
  ];
}

/** Lines of 100 bytes or so that begin `line N `; returns how many. */
function writeLines(file: string, bytes: number): number {
  const fd = openSync(file, 'w');
  let line = 0;
  for (let size = 0; size < bytes; ) {
    const chunk: string[] = [];
    for (let at = 0; at < 10_000; at += 1) {
      line += 1;
      chunk.push(`line ${line} ${'x'.repeat(60 + (line % 61))}\n`);
    }
    size += writeSync(fd, chunk.join(''));
  }
  closeSync(fd);
  return line;
}

/** The offset behind `lines` lines, found by looking for line feeds piece by piece. */
function scan(file: string, lines: number): number {
  const fd = openSync(file, 'r');
  const piece = Buffer.allocUnsafe(64 * 1024);
  let found = 0;
  let offset = 0;
  try {
    for (let count = -1; count !== 0 && found < lines; offset += count) {
      count = readSync(fd, piece, 0, piece.length, offset);
      const part = piece.subarray(0, count);
      for (let at = part.indexOf(10); at >= 0 && found < lines; at = part.indexOf(10, at + 1)) found += 1;
    }
    return offset;
  } finally {
    closeSync(fd);
  }
}
