/**
 * Runs one command in a view and then waits for ever. Arguments: workspace, home. Writes a line when the command has ended;
 * what waits for the next one carries the workspace in its environment.
 */
import { createApp } from '../../src/app.ts';
import { nobody } from '../../src/gate/approver.ts';

const [root, home] = process.argv.slice(2) as [string, string];
const app = await createApp({
  flags: { root, approve: 'all' },
  env: { ...process.env, BENCHDOG_HOME: home, WAITS_IN: root },
  approver: nobody,
  session: 'child',
});
await app.gate.call({ id: 'call-1', tool: 'bash', args: { command: 'true' } });
console.log('called');
setInterval(() => {}, 1000);
