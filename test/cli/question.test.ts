import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askLine, type QuestionOptions } from '../../src/cli/question.ts';

function typed(keys: string, options: QuestionOptions = {}) {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const shown: string[] = [];
  stderr.on('data', (chunk) => shown.push(String(chunk)));
  const answer = askLine({ stdin, stderr } as never, 'Key: ', options);
  if (keys === '') stdin.end();
  else stdin.write(keys);
  return { answer, shown: () => shown.join('') };
}

test('the line that was typed, without its end', async () => {
  const { answer, shown } = typed('yes\r');
  expect(await answer).toBe('yes');
  expect(shown()).toContain('Key: ');
  expect(shown()).toContain('yes');
});

test('what is hidden does not appear', async () => {
  const { answer, shown } = typed('sk-secret\r', { hidden: true });
  expect(await answer).toBe('sk-secret');
  expect(shown()).toBe('Key: \n');
});

test.each([
  ['ctrl-c', '\u0003'],
  ['the end of input', ''],
])('%s is an interruption, not a wait for ever', async (_, keys) => {
  await expect(typed(keys).answer).rejects.toMatchObject({ code: 'interrupted' });
});

test('a signal ends the question', async () => {
  await expect(typed('half', { signal: AbortSignal.timeout(1) }).answer).rejects.toMatchObject({ code: 'interrupted' });
});
