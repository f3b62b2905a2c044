// A tool of your own beside the dialect's. It proposes a change; the gate shows, commits and journals it.
import { defineTool, openGate } from 'benchdog';
import * as z from 'zod';

const countWords = defineTool({
  name: 'count_words',
  description: 'Counts the words of a text file.',
  readOnly: true,
  input: z.strictObject({ path: z.string() }),
  prepare: ({ path }, { workspace }) => {
    const file = workspace.resolve(path);
    return {
      effects: [{ kind: 'read', path: file }],
      subject: path,
      plan: async () => {
        const { bytes } = await workspace.read(file);
        const words = bytes
          .toString('utf8')
          .split(/\s+/)
          .filter((word) => word !== '');
        return { type: 'answer', text: `${path}: ${words.length} words` };
      },
    };
  },
});

const { gate, registry, close } = await openGate({ root: process.argv[2] ?? '.', tools: [countWords] });
console.log((await gate.call({ id: '1', tool: 'count_words', args: { path: 'README.md' } })).text);
console.log((await gate.call({ id: '2', tool: 'count_words', args: { path: '../elsewhere' } })).text);

registry.remove('count_words');
console.log(gate.definitions().some(({ name }) => name === 'count_words'));
await close();
