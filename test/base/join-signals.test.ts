import { expect, test } from 'vitest';
import { joinSignals } from '../../src/base/join-signals.ts';
import { collectGarbage } from '../support/garbage.ts';

const fired = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('the first of several signals is passed on with its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals([one.signal, undefined, two.signal]);
  two.abort('second');
  one.abort('first');
  expect(signal.reason).toBe('second');
});

test('one that has fired already counts', () => {
  expect(joinSignals([new AbortController().signal, AbortSignal.abort('before')], 1).signal.reason).toBe('before');
});

test('the time limit survives garbage collection, also through a second joining', async () => {
  const outer = (() => {
    const inner = joinSignals([new AbortController().signal], 40);
    return joinSignals([new AbortController().signal, inner.signal]);
  })();
  const reason = fired(outer.signal);
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  expect(await reason).toMatchObject({ name: 'TimeoutError' });
});

test('released, it holds nothing and never fires', () => {
  const source = new AbortController();
  const { signal, release } = joinSignals([source.signal], 10_000);
  release();
  source.abort();
  expect(signal.aborted).toBe(false);
});
