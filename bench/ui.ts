import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Comparison } from './measure.ts';

/** Percent of one core that streaming may take. */
const limit = 15;
const seconds = 10;

/** CPU of showing 300 tokens a second of Markdown, each way in a process of its own, against the share of a core it may take. */
export async function run(): Promise<Comparison[]> {
  const results: Comparison[] = [];
  for (const [way, name] of [
    ['ours', 'ours: blocks into the scrollback, a live part below'],
    ['library', "pi-tui's own main screen, for comparison"],
    ['library-long', 'the same after 300 earlier answers'],
  ] as const) {
    const percent = await shareOf(way);
    const judged = way === 'ours' ? { limit: 1 } : {};
    results.push({ name, against: 'aim', ours: percent, floor: limit, ratio: percent / limit, unit: '%', ...judged });
  }
  return results;
}

function shareOf(way: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, 'ui-stream.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', file, way, String(seconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('exit', () => resolve(Number(text)));
  });
}
