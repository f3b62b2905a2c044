import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFrames } from '../../support/page-frames.ts';

test('the page on the terminal shows the frames as they are (scripts/terminal-page.ts puts them in)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/terminal.md'), 'utf8');
  expect(page).toBe(withFrames(page));
});
