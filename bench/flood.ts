import { tmpdir } from 'node:os';
import { childEnvironment } from '../src/process/environment.ts';
import { masker } from '../src/process/mask.ts';
import { run } from '../src/process/run.ts';
import { bareRun } from './bare-run.ts';

/** What reading a gigabyte cost, and the most memory this process held meanwhile. */
export interface FloodReport {
  readonly ms: number;
  readonly peakMb: number;
}

const command = { file: '/bin/sh', args: ['-c', 'yes | head -c 1000000000'] };
const place = { cwd: tmpdir(), env: childEnvironment(process.env) };

let peak = 0;
const sample = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
const start = performance.now();
if (process.argv[2] === 'bare') await bareRun(command, place);
else await run({ ...command, ...place, mask: masker(['a-known-secret']) });
clearInterval(sample);
const report: FloodReport = { ms: performance.now() - start, peakMb: peak / 1e6 };
process.send?.(report, () => process.exit(0));
