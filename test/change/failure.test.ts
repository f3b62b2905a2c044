import { expect, test } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { explainFailure } from '../../src/change/failure.ts';

const system = (code: string) => Object.assign(new Error(`${code}: what node says`), { code });

test('a system error says what it means and what state things are in', () => {
  expect(explainFailure(system('EMFILE'), 'Nothing was changed.')).toMatchObject({
    code: 'failed',
    message: 'Too many files are open in this process. (EMFILE: what node says) Nothing was changed.',
  });
  expect(explainFailure(system('EWHATEVER'), 'Nothing was changed.').message).toBe(
    'EWHATEVER: what node says Nothing was changed.',
  );
});

test('an error of ours keeps its code and says the state once', () => {
  expect(explainFailure(new ToolError('stale', 'a changed.'), 'Nothing was changed.')).toMatchObject({
    code: 'stale',
    message: 'a changed. Nothing was changed.',
  });
  expect(explainFailure(new ToolError('stale', 'Gone. Nothing was changed.'), 'Nothing was changed.').message).toBe(
    'Gone. Nothing was changed.',
  );
});
