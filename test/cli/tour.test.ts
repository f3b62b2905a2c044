import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { tourModel } from '../../src/cli/tour/script.ts';
import { runHere } from '../support/command-line.ts';

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('benchdog-tour-'));

test('the tour shows a denial, an approval with its diff, the receipt and undo, and leaves nothing', async () => {
  const before = leftovers();
  const { exit, stdout, stderr } = await runHere(['tour']);
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toContain('denied: read_file .env is denied by');
  expect(stdout).toContain('-  const sum = cart.reduce((cents, { price }) => cents + price, 0);');
  expect(stdout).toContain(
    '+  const sum = cart.reduce((cents, { price, quantity = 1 }) => cents + price * quantity, 0);',
  );
  expect(stdout).toContain('so the tour answers by itself');
  expect(stdout).toContain('1 file changed, verified\n');
  expect(stdout).toMatch(/modified src\/total\.js [0-9a-f]{12} \(diff seen\)/);
  expect(stdout).toMatch(/undid [0-9a-f]{10}; git status now says:\n.*clean/i);
  expect(stdout.indexOf('> edit_file')).toBeLessThan(stdout.indexOf('edit_file wants to change files'));
  expect(stdout).not.toContain('not-a-real-key');
  expect(leftovers()).toEqual(before);
});

test('the script takes a no for a no', async () => {
  const messages = Array(3).fill({ role: 'assistant', parts: [] });
  const ask = async (declined: boolean) => {
    const request = { system: [], messages, tools: [] } as never;
    let said = '';
    for await (const event of tourModel({ declined: () => declined }).stream(request, new AbortController().signal)) {
      if (event.type === 'part' && event.part.type === 'text') said = event.part.text;
    }
    return said;
  };
  expect(await ask(true)).toBe('You declined the change, so src/total.js is as it was.');
  expect(await ask(false)).toMatch(/^Before I say that it is done/);
});
