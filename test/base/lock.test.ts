import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lock, lockSync, tryLock } from '../../src/base/lock.ts';
import { processState, thisProcess } from '../../src/base/process-mark.ts';
import { tempFolder } from '../support/folders.ts';

const gone = spawnSync(process.execPath, ['-e', '0']).pid;
const marked = (changes: object) => {
  const { pid, start, boot, host, space, token } = { ...thisProcess(), token: 't', ...changes };
  return [pid, start, boot, host, space, token].map((word) => String(word) || '-').join(' ');
};

describe('a process', () => {
  test('is alive, dead or out of sight', () => {
    const here = thisProcess();
    expect(here.pid).toBe(process.pid);
    expect(processState(here)).toBe('alive');
    expect(processState({ ...here, pid: gone })).toBe('dead');
    expect(processState({ ...here, boot: 'before the last start' })).toBe('dead');
    expect(processState({ ...here, host: 'elsewhere' })).toBe('unknown');
    expect(processState({ ...here, space: 'pid:[1]' })).toBe('unknown');
  });

  test.runIf(process.platform === 'linux')('whose number was given to another one is dead', () => {
    expect(processState({ ...thisProcess(), start: '1' })).toBe('dead');
  });
});

describe('a lock', () => {
  test('is had by one at a time', async () => {
    const path = join(tempFolder(), 'deep/lock');
    const first = lockSync(path);
    expect(tryLock(path)).toEqual({ busy: true, pid: process.pid });
    await expect(lock(path, 20)).rejects.toMatchObject({
      code: 'failed',
      message: `Waited 0.02 s for a lock that process ${process.pid} holds; nothing was done. If no such process runs, delete ${path}`,
    });
    setTimeout(() => first.release(), 5);
    (await lock(path)).release();
    expect(tryLock(path)).not.toHaveProperty('busy');
  });

  test('of a dead process is broken, and only that one', () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    symlinkSync(marked({ pid: gone }), path);
    const mine = tryLock(path);
    expect(readlinkSync(path)).toMatch(new RegExp(`^${process.pid} `));
    expect(readlinkSync(path).length).toBeLessThan(60);
    expect(readdirSync(folder)).toEqual(['lock']);
    if ('release' in mine) mine.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that a process died breaking is broken too', () => {
    const folder = tempFolder();
    symlinkSync(marked({ pid: gone, token: 'one' }), join(folder, 'lock'));
    symlinkSync(marked({ pid: gone, token: 'two' }), join(folder, 'lock.one'));
    expect(tryLock(join(folder, 'lock'))).not.toHaveProperty('busy');
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('of another machine stands until it has been untouched for long', () => {
    const path = join(tempFolder(), 'lock');
    writeFileSync(path, marked({ host: 'elsewhere' }));
    expect(tryLock(path)).toEqual({ busy: true, pid: process.pid });
    utimesSync(path, new Date(0), new Date(0));
    expect(tryLock(path)).not.toHaveProperty('busy');
  });

  test('that is a file, as where links can not be made, works alike; an unreadable one is nobody’s', () => {
    const path = join(tempFolder(), 'lock');
    writeFileSync(path, marked({ pid: gone }));
    const taken = tryLock(path);
    expect(taken).not.toHaveProperty('busy');
    const other = join(tempFolder(), 'lock');
    writeFileSync(other, 'half writ');
    expect(tryLock(other)).toEqual({ busy: true, pid: 0 });
  });

  test('releases only what it holds', () => {
    const path = join(tempFolder(), 'lock');
    const first = lockSync(path);
    first.release();
    const second = lockSync(path);
    first.release();
    expect(tryLock(path)).toMatchObject({ busy: true });
    second.release();
  });
});
