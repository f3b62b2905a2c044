/**
 * One call through the whole product in a process of its own. Arguments: workspace, home, dialect, tool, file with the
 * arguments' JSON. Prints the result, its time and the most memory the process held, in MB.
 */
import { readFileSync } from 'node:fs';
import { createApp } from '../../src/app.ts';
import { nobody } from '../../src/gate/approver.ts';

const [root, home, dialect, tool, file] = process.argv.slice(2) as [string, string, string, string, string];
const app = await createApp({
  flags: { root, dialect, approve: 'all' },
  env: { ...process.env, BENCHDOG_HOME: home },
  approver: nobody,
  session: 'child',
});
const result = await app.gate.call({ id: 'call-1', tool, args: readFileSync(file, 'utf8') });
await app.close();
console.log(JSON.stringify({ result, maxMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
