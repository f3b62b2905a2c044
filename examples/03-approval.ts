// Somebody is asked. What is shown is, byte for byte, what is written.
import { type Approver, openGate } from 'benchdog';

const approver: Approver = {
  present: true,
  async ask({ tool, preview }) {
    console.log(`${tool} wants:\n${preview}`);
    return preview.includes('-hello') ? { type: 'once' } : { type: 'no', reason: 'that line stays' };
  },
};

const { gate, close } = await openGate({ root: process.argv[2] ?? '.', approver });
const edit = (id: string, oldString: string, newString: string) =>
  gate.call({ id, tool: 'edit_file', args: { path: 'README.md', oldString, newString } });

console.log((await edit('1', 'hello', 'good day')).text);
console.log((await edit('2', 'world', 'moon')).text);
await close();
