import { expect, test } from 'vitest';
import { place } from '../support/command-line.ts';
import type { ServerReply } from '../support/model-server.ts';
import { modelServer } from '../support/models.ts';
import { repository } from '../support/repository.ts';

async function asked(replies: ServerReply[], ...flags: string[]) {
  const server = await modelServer(replies);
  const { run } = place(repository({ 'a.txt': 'one\n' }));
  const model = ['--model', 'openai-compatible/m', '--base-url', server.url];
  expect(await run(['-p', 'do it', ...model, ...flags])).toMatchObject({ exit: 0 });
  return server.requests;
}

const toolsIn = ({ body }: { body: { tools: { function: { name: string } }[] } }) =>
  body.tools.map((tool) => tool.function.name);

test('the first request is small: 6 KB with the core set, 16 KB with everything', async () => {
  const [core] = await asked([{ text: 'Done.' }], '--tools', '');
  expect(Buffer.byteLength(core!.text)).toBeLessThan(6 * 1024);
  const [all] = await asked([{ text: 'Done.' }]);
  expect(Buffer.byteLength(all!.text)).toBeLessThan(16 * 1024);
});

test('what works on jobs and notes is told of once there are some', async () => {
  const call = (tool: string, args: object): ServerReply => ({ calls: [{ id: tool, tool, arguments: args }] });
  const requests = await asked(
    [
      call('bash', { command: 'sleep 60', background: true }),
      call('remember', { note: 'tests live in test/' }),
      { text: 'Done.' },
    ],
    '--approve',
    'all',
  );
  const idle = ['bash_output', 'bash_kill', 'recall', 'forget'];
  const seen = requests.map((request) => idle.filter((name) => toolsIn(request).includes(name)));
  expect(seen).toEqual([[], idle.slice(0, 2), idle]);
});

test('headless, ask is withheld: nobody could answer, and the prompt says to decide', async () => {
  const [request] = await asked([{ text: 'Done.' }]);
  expect(toolsIn(request!)).not.toContain('ask');
  expect(request!.body.messages[0].content).toContain(
    'Nobody can answer questions now: decide, and state what you assumed.',
  );
});

test('schemas are sent without what the gate says anyway', async () => {
  const [request] = await asked([{ text: 'Done.' }]);
  expect(request!.text).not.toContain('additionalProperties');
});
