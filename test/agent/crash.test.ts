import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folders.ts';

const program = join(import.meta.dirname, '../support/crashing-agent.ts');
const expected = `${Array.from({ length: 30 }, (_, at) => `step ${at + 1}`).join('\n')}\n`;

function run(folder: string, killAt: number) {
  const { signal, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, folder, String(killAt)], {
    encoding: 'utf8',
  });
  return { killed: signal === 'SIGKILL', stdout, stderr };
}

test('kill -9 at any point of a 30-step run, resumed each time, ends with the same files', () => {
  const folder = tempFolder({ 'ws/log.txt': '' });
  const points = [3, 41, 7, 88, 16, 29];
  for (const point of points) {
    const { killed, stderr } = run(folder, point);
    expect([killed, stderr]).toEqual([true, '']);
  }
  const last = run(folder, 0);
  expect(last.stderr).toBe('');
  expect(JSON.parse(last.stdout)).toMatchObject({ exit: 0, text: 'finished' });
  expect(readFileSync(join(folder, 'ws/log.txt'), 'utf8')).toBe(expected);
}, 120_000);
