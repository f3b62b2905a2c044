import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ToolError } from '../../../src/base/error.ts';
import type { ApprovalRequest, Approver } from '../../../src/gate/approver.ts';
import { openGate } from '../../../src/open-gate.ts';
import { approvalDialog } from '../../../src/ui/terminal/approval-dialog.ts';
import { themeFor } from '../../../src/ui/terminal/theme.ts';
import { tempFolder } from '../../support/folders.ts';
import { standAt } from '../../support/frames.ts';

async function gateAt(files: Record<string, string> = {}) {
  const stand = standAt(100, 30);
  const root = tempFolder(files);
  const opened = await openGate({ root, home: tempFolder(), approver: stand.ui.approver, sandbox: { mode: 'off' } });
  let count = 0;
  const call = (tool: string, args: object) => {
    count += 1;
    return opened.gate.call({ id: `c${count}`, tool, args });
  };
  const keys = (...sequences: readonly string[]) => {
    for (const sequence of sequences) stand.terminal.key(sequence);
  };
  const end = () => Promise.all([stand.ui.close(), opened.close()]);
  return { ...stand, ...opened, root, call, keys, end };
}

test('always: the pattern is shown and taken as it is or changed; then it is not asked again, and can be revoked', async () => {
  const { call, shows, keys, policy, end } = await gateAt();
  const first = call('bash', { command: 'git log -1' });
  await shows('a always git log *');
  keys('a');
  await shows('Allow bash without asking');
  keys('\r');
  await shows('for this session');
  keys('\r');
  await first;
  expect(policy.grants.list().map(({ tool, pattern }) => [tool, pattern])).toEqual([['bash', 'git log *']]);
  expect((await call('bash', { command: 'git log -2' })).text).not.toContain('declined');
  await end();
});

test('always for a while: how far it goes is chosen', async () => {
  const { call, shows, keys, policy, end } = await gateAt();
  const first = call('bash', { command: 'git log -1' });
  await shows('y once');
  keys('a');
  await shows('Allow bash without asking');
  keys('\r');
  await shows('five more times');
  keys('2');
  await first;
  expect(policy.grants.list()).toMatchObject([{ pattern: 'git log *', uses: 5 }]);
  await end();
});

test('a pattern that may not be granted is refused with the reason, and the question stands again', async () => {
  const { call, shows, keys, policy, end, ui } = await gateAt();
  const first = call('bash', { command: 'git log -1' });
  await shows('y once');
  keys('a');
  await shows('Allow bash without asking');
  keys('\x15', '*', '\r');
  await shows('for this session');
  keys('\r');
  await shows('"*"');
  await shows('y once');
  expect(policy.grants.list()).toEqual([]);
  ui.dismiss();
  expect((await first).ok).toBe(false);
  await end();
});

test('no without a reason, going back from the reason, esc stops all', async () => {
  const { call, shows, keys, root, asked, end } = await gateAt();
  const first = call('write_file', { path: 'a.txt', content: 'x\n' });
  await shows('y once');
  keys('n');
  await shows('Why not?');
  keys('\x1b');
  await shows('y once');
  keys('n', '\r');
  expect((await first).text).toContain('The user declined write_file. Nothing was done.');
  const second = call('write_file', { path: 'b.txt', content: 'x\n' });
  await shows('wants to change b.txt');
  keys('\x1b');
  expect((await second).ok).toBe(false);
  expect(asked).toEqual(['abort']);
  expect([existsSync(join(root, 'a.txt')), existsSync(join(root, 'b.txt'))]).toEqual([false, false]);
  await end();
});

test('a long diff is scrolled to its end, and says how much there is', async () => {
  const { call, shows, keys, end, ui } = await gateAt();
  const content = Array.from({ length: 200 }, (_, at) => `line ${at}\n`).join('');
  const first = call('write_file', { path: 'a.txt', content });
  expect(await shows('rows 1-')).toMatch(/rows 1-\d+ of 20\d/);
  keys('\x1b[F');
  await shows('+ line 199');
  keys('\x1b[H');
  await shows('new file mode');
  ui.dismiss();
  await first;
  await end();
});

test('two calls that ask at the same time are asked one after another', async () => {
  const { call, shows, keys, root, end } = await gateAt();
  const both = [
    call('write_file', { path: 'a.txt', content: '1\n' }),
    call('write_file', { path: 'b.txt', content: '2\n' }),
  ];
  await shows('wants to change a.txt');
  keys('y');
  await shows('wants to change b.txt');
  keys('y');
  expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true]);
  expect(existsSync(join(root, 'b.txt'))).toBe(true);
  await end();
});

test('keys that were meant for the input do not answer a question that comes up meanwhile', async () => {
  const { call, shows, keys, terminal, root, end, ui } = await gateAt();
  keys('s', 'a');
  const first = call('write_file', { path: 'a.txt', content: 'x\n' });
  await shows('a question waits until you stop typing');
  keys('y');
  await shows('say');
  await shows('y once');
  expect(existsSync(join(root, 'a.txt'))).toBe(false);
  expect(terminal.screen().join('\n')).not.toContain('say');
  ui.dismiss();
  await first;
  expect(ui.input()).toBe('say');
  await end();
});

test('an editor that fails is told of where one looks, and the question stands', async () => {
  const root = tempFolder();
  let request: ApprovalRequest | undefined;
  const approver: Approver = {
    present: true,
    ask: async (given) => {
      request = given;
      return { type: 'no' };
    },
  };
  const { gate, close } = await openGate({ root, home: tempFolder(), approver });
  await gate.call({ id: 'c', tool: 'write_file', args: { path: 'a.txt', content: 'x\n' } });
  await close();
  const told = vi.fn();
  const dialog = approvalDialog({
    request: request!,
    theme: themeFor({ NO_COLOR: '1', LANG: 'C.UTF-8' }),
    edit: async () => Promise.reject(new ToolError('failed', 'The editor (x) ended with 3. Nothing was changed.')),
    abort: () => {},
    onChange: told,
    done: () => expect.fail('nothing is answered'),
  });
  dialog.key('e');
  await vi.waitFor(() => expect(told).toHaveBeenCalled());
  expect(dialog.render(80, 30).lines.slice(2, 4)).toEqual([
    'Not edited: The editor (x) ended with 3. Nothing was changed.',
    'a.txt',
  ]);
});
