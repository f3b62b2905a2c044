/** Adds records to an audit log in a process of its own. Arguments: log, name, how many. Prints a line at the first. */
import { openAudit } from '../../src/gate/audit.ts';

const [path, name, count] = process.argv.slice(2) as [string, string, string];
const audit = openAudit(path);
const call = { tool: 'bash', readOnly: false, subject: 'x'.repeat(500), effects: [], arguments: {} };
const verdict = { decision: 'allow', by: 'test', effects: [] } as const;
for (let at = 0; at < Number(count); at += 1) {
  audit.add({ callId: `${name}-${at}`, call, verdict, approver: 'rules', outcome: 'allowed' });
  if (at === 0) console.log('started');
}
audit.close();
