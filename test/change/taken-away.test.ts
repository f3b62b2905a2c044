import { expect, test } from 'vitest';
import type { Entry } from '../../src/change/journal.ts';
import { takenAway } from '../../src/change/taken-away.ts';

const at = (ms: number, part: Partial<Entry>) => ({
  time: new Date(ms).toISOString(),
  changes: [],
  operations: [],
  ...part,
});
const deleted = (path: string, type: 'delete' | 'rename' = 'delete') =>
  ({ type, path, added: 0, removed: 0 }) as unknown as Entry['changes'][number];
const moved = (path: string, from?: string) =>
  ({
    type: 'swap',
    path,
    keep: '/k',
    bytes: 0,
    ...(from === undefined ? {} : { from }),
  }) as Entry['operations'][number];

test('a path that was taken away since, its folder, and what was in it', () => {
  const entries = [
    at(10, { operations: [moved('d')] }),
    at(20, { changes: [deleted('e/f/g'), deleted('h', 'rename')] }),
  ];
  const first = (...paths: string[]) => takenAway(paths, entries, 5);
  expect(first('x', 'd')).toBe('d');
  expect(first('d/a/b')).toBe('d/a/b');
  expect(first('e')).toBe('e');
  expect(first('e/f')).toBe('e/f');
  expect(first('e/f/g')).toBe('e/f/g');
  expect(first('h')).toBe('h');
  expect(first('e/f/other', 'dd', 'e2', 'f')).toBeUndefined();
});

test('not what went before, nor what something else took the place of', () => {
  expect(takenAway(['d'], [at(10, { operations: [moved('d')] })], 11)).toBeUndefined();
  expect(takenAway(['d'], [at(10, { operations: [moved('d', '/new')] })], 5)).toBeUndefined();
  expect(takenAway(['d'], [], 0)).toBeUndefined();
});
