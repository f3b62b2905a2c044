// A whole turn. The scripted model makes it run anywhere; `openModel` opens a real one.
import { memorySession, openAgent, openGate, runTurn, scriptedModel } from 'benchdog';

const model = scriptedModel([
  { calls: [{ tool: 'edit_file', arguments: { path: 'README.md', oldString: 'hello', newString: 'good day' } }] },
  { calls: [{ tool: 'git_diff' }] },
  { text: 'The greeting is polite now.' },
]);

const opened = await openGate({ root: process.argv[2] ?? '.', approve: 'edits', repeatGuard: true });
const agent = openAgent(opened, { model });
const signal = new AbortController().signal;
for await (const event of runTurn(agent, memorySession(), 'Make the greeting polite.', { signal })) {
  if (event.type === 'tool-start') console.log(`calls ${event.tool}`);
  if (event.type === 'done') console.log(event.text, `(verified: ${event.receipt.verified})`);
}
await opened.close();
