import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { anchorParent, handlesWork } from '../../src/workspace/anchor.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

/** `RACE_ROUNDS=20000` for a long run. */
const rounds = Number(process.env.RACE_ROUNDS ?? 400);

async function startSwapper(ws: string, out: string): Promise<ChildProcess> {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'swapper.ts');
  const child = fork(script, [ws, out, String(rounds)], { execArgv: ['--import', 'tsx'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function stopSwapper(child: ChildProcess): Promise<number> {
  child.send('stop');
  const [swaps] = (await once(child, 'message')) as [number];
  await once(child, 'exit');
  return swaps;
}

/** The ways in which a call may end while names are swapped: done inside, or refused. */
async function tolerant<T>(work: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EEXIST') return undefined;
    throw error;
  }
}

/** What a careful writer does: temp file and rename, below an anchor. */
function writeAnchored(workspace: Workspace, text: string, mark: string): boolean {
  const path = workspace.resolve(text);
  const anchor = anchorParent(workspace.root, path, { create: true });
  try {
    const temp = anchor.at('.temp-of-race');
    const fd = openSync(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    writeSync(fd, mark);
    closeSync(fd);
    anchor.verify();
    renameSync(temp, anchor.at(anchor.name));
    return true;
  } catch (error) {
    rmSync(anchor.at('.temp-of-race'), { force: true });
    throw error;
  } finally {
    anchor.close();
  }
}

describe.runIf(handlesWork)('names swapped for links by another process', () => {
  it('never make a read or an anchored write land outside, and leak no handle', { timeout: 600_000 }, async () => {
    const top = tempFolder({ 'outside/file.txt': 'zzz-secret\n', 'outside/deep/file.txt': 'zzz-secret\n' });
    const ws = join(top, 'ws');
    const out = join(top, 'outside');
    mkdirSync(join(ws, 'dir'), { recursive: true });
    mkdirSync(join(ws, 'mid', 'deep'), { recursive: true });
    const workspace = openWorkspace({ root: ws });
    const handles = readdirSync('/proc/self/fd').length;
    const child = await startSwapper(ws, out);

    const done = { reads: 0, lists: 0, writes: 0 };
    let enough = false;
    child.once('message', () => {
      enough = true;
    });
    while (!enough) {
      await setImmediate();
      for (const text of ['dir/file.txt', 'mid/deep/file.txt']) {
        const read = await tolerant(() => workspace.read(workspace.resolve(text)));
        if (read !== undefined) done.reads += 1;
        expect(read?.bytes.toString() ?? '').not.toContain('zzz-secret');
        if (await tolerant(() => writeAnchored(workspace, text, 'inside\n'))) done.writes += 1;
      }
      const listed = await tolerant(() => workspace.list(workspace.resolve('mid')));
      if (listed !== undefined) done.lists += 1;
      expect(listed?.map(({ name }) => name) ?? []).not.toContain('file.txt');
    }

    const swaps = await stopSwapper(child);
    expect(swaps).toBeGreaterThanOrEqual(rounds);
    expect(Math.min(done.reads, done.writes, done.lists)).toBeGreaterThan(0);
    expect(readdirSync(out).sort()).toEqual(['deep', 'file.txt']);
    expect(readdirSync(join(out, 'deep'))).toEqual(['file.txt']);
    for (const file of ['file.txt', 'deep/file.txt']) {
      expect(readFileSync(join(out, file), 'utf8')).toBe('zzz-secret\n');
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(handles + 2);
    if (process.env.RACE_ROUNDS) console.log({ swaps, ...done });
  });
});
