// One tool call through the gate: judged, committed atomically, journaled.
import { openGate } from 'benchdog';

const { gate, close } = await openGate({
  root: process.argv[2] ?? '.',
  permission: { write_file: { 'notes/**': 'allow' } },
});

const written = await gate.call({ id: '1', tool: 'write_file', args: { path: 'notes/a.md', content: '# A\n' } });
console.log(written.text);

const refused = await gate.call({ id: '2', tool: 'write_file', args: { path: 'src/a.ts', content: '' } });
console.log(refused.ok ? 'written' : `${refused.code}: nobody was there to approve it`);

await close();
