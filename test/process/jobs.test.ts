import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { createJobs } from '../../src/process/jobs.ts';

const place = { cwd: '/', env: childEnvironment() };

test('at most 32 run at once, also of those that are started together', async () => {
  const jobs = createJobs();
  const sleep = () => jobs.start('sleep 60', { file: 'sleep', args: ['60'], ...place });
  const started = await Promise.allSettled(Array.from({ length: 40 }, sleep));
  const refused = started.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toEqual(Array(8).fill('32 background commands are running. End one with bash_kill first.'));
  expect(jobs.list().length).toBe(32);
  await jobs.kill(jobs.list()[0]!);
  await sleep();
  await jobs.end();
  expect(jobs.list()).toEqual([]);
});

test('of those that have ended the latest 32 are kept', async () => {
  const jobs = createJobs();
  for (let round = 0; round < 4; round += 1) {
    const started = Array.from({ length: 10 }, () => jobs.start('true', { file: 'true', args: [], ...place }));
    for (const job of await Promise.all(started)) await job.running.done;
  }
  expect(jobs.list().length).toBeLessThanOrEqual(40);
  await jobs.start('true', { file: 'true', args: [], ...place });
  expect(jobs.list().map(({ id }) => id)).toEqual(Array.from({ length: 33 }, (_, at) => `job-${at + 9}`));
  await jobs.end();
});
