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

test('our handle on a folder is not shown; a move between mounts is told what to do', () => {
  const text = "EXDEV: cross-device link not permitted, link '/proc/self/fd/32/b' -> '/proc/self/fd/31/e'";
  const thrown = Object.assign(new Error(text), { code: 'EXDEV' });
  expect(explainFailure(thrown, 'Nothing was changed.').message).toBe(
    "The two places lie on different file systems or mounts, where no file is moved in one step: write the new file, then delete the old one. (EXDEV: cross-device link not permitted, link 'b' -> 'e') Nothing was changed.",
  );
});
