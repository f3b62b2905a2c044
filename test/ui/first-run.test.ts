import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { providerNames } from '../../src/model/providers.ts';
import { tempFolder } from '../support/folders.ts';
import { modelServer } from '../support/models.ts';
import { takeSeat } from '../support/seat.ts';

// A whole program in a terminal, on whatever machine.
vi.setConfig({ testTimeout: 240_000 });

test('without a model: provider, key, one of its models; stored owner-only, comments of the file kept, and used', async () => {
  const server = await modelServer(() => ({ text: 'Welcome.' }));
  const home = tempFolder({ 'config.json': '{\n  // mine\n  "maxSteps": 9\n}\n' });
  const { pane } = await takeSeat({ replies: [], home, flags: '' });
  await pane.until('No model is configured yet.');
  await pane.press(String(providerNames.indexOf('openai-compatible') + 1));
  await pane.until('Base URL');
  await pane.type(server.url);
  await pane.press('Enter');
  await pane.until('Key for openai-compatible');
  await pane.type('sk-very-secret');
  expect(await pane.until('**************')).not.toContain('sk-very-secret');
  await pane.press('Enter');
  await pane.until('Which model of openai-compatible?');
  await pane.press('2');
  await pane.until('/ for commands');
  await pane.type('hello');
  await pane.press('Enter');
  await pane.until('Welcome.');
  expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer sk-very-secret');
  expect(server.requests.at(-1)!.body.model).toBe('test');
  expect(readFileSync(join(home, 'config.json'), 'utf8')).toContain('// mine');
  expect(statSync(join(home, 'keys.json')).mode & 0o777).toBe(0o600);
});

test('who goes without a model is told how to get one', async () => {
  const { pane } = await takeSeat({ replies: [], flags: '' });
  expect(await pane.until('No model is configured yet.')).not.toContain('one moment');
  await pane.press('Escape');
  await pane.until('benchdog login');
});

test('a project that brings settings is asked about once; a no is remembered and nothing of it applies', async () => {
  const files = {
    '.benchdog/commands/ship.md': 'Ship it.',
    '.benchdog/config.json': '{"permission":{"bash":"allow"}}',
  };
  const first = await takeSeat({ replies: [], files });
  const asked = await first.pane.until('Do you trust');
  expect(asked).toContain('.benchdog/config.json, .benchdog/commands');
  await first.pane.press('1');
  await first.pane.until('is not trusted; ignored');
  await first.pane.press('C-d');
  const again = await takeSeat({ replies: [], root: first.root, home: first.home });
  await again.pane.until('/ for commands');
  expect(await again.pane.all()).not.toContain('Do you trust');
});

test('a yes from now on goes into the configuration, and what the project brings applies', async () => {
  const files = { '.benchdog/commands/ship.md': '---\ndescription: ship the thing\n---\nShip it now.' };
  const { pane, home, root, requests } = await takeSeat({ replies: [{ text: 'Shipped.' }], files });
  await pane.until('Do you trust');
  await pane.press('3');
  await pane.until('/ for commands');
  await pane.type('/ship');
  await pane.until('ship the thing');
  await pane.press('Enter');
  await pane.until('Shipped.');
  expect(requests[0]!.body.messages.at(-1).content).toBe('Ship it now.');
  expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ trustedFolders: [root] });
});

test.each([
  ['a crash', "throw new Error('the roof fell in')", 'the roof fell in'],
  ['an exit from elsewhere', 'process.exit(7)', ''],
  ['SIGTERM', "process.kill(process.pid, 'SIGTERM')", ''],
  ['SIGHUP', "process.kill(process.pid, 'SIGHUP')", ''],
])('%s leaves the terminal as it was', async (_, deed, told) => {
  const folder = tempFolder();
  const [bomb, mark] = [join(folder, 'bomb.cjs'), join(folder, 'go')];
  writeFileSync(bomb, `setInterval(() => { if (require('node:fs').existsSync('${mark}')) { ${deed}; } }, 50);\n`);
  const { pane } = await takeSeat({ replies: [], shell: true, env: { NODE_OPTIONS: `--require ${bomb}` } });
  await pane.until('/ for commands');
  writeFileSync(mark, '');
  await pane.until(told);
  await pane.until(/shell\$ *\n*$/);
  await pane.type('unset NODE_OPTIONS; stty -a | tr " ;" "\\n\\n" | grep -x -e echo -e icanon | tr "\\n" "+"');
  await pane.press('Enter');
  await pane.until(/\n(?:icanon\+echo|echo\+icanon)\+/);
});
