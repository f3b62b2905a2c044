import { readFileSync, writeFileSync } from 'node:fs';
import { withFrames } from '../test/support/page-frames.ts';

/** Puts the frames that the tests hold to into the page on the terminal: `npx tsx scripts/terminal-page.ts`. */
const page = 'docs/terminal.md';
writeFileSync(page, withFrames(readFileSync(page, 'utf8')));
