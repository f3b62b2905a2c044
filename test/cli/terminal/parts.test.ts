import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { editProposal } from '../../../src/cli/terminal/edit-proposal.ts';
import { createErrands, type Errand } from '../../../src/cli/terminal/errands.ts';
import { createModeSwitch } from '../../../src/cli/terminal/mode-switch.ts';
import { createPlannedDiffs } from '../../../src/cli/terminal/planned-diffs.ts';
import { openPromptHistory } from '../../../src/cli/terminal/prompt-history.ts';
import { parseSlash } from '../../../src/cli/terminal/slash.ts';
import { openGate } from '../../../src/open-gate.ts';
import { tempFolder } from '../../support/folders.ts';

test('a command, not a path', () => {
  expect(parseSlash('/undo 3')).toEqual({ name: 'undo', argument: '3' });
  expect(parseSlash(' /Help ')).toEqual({ name: 'help', argument: '' });
  expect(parseSlash('/review a\nb')).toEqual({ name: 'review', argument: 'a\nb' });
  expect(parseSlash('/etc/passwd is what?')).toBeUndefined();
  expect(parseSlash('see /help')).toBeUndefined();
});

/** An errand that ends when it is told to. */
function errand(text: string) {
  let end = () => {};
  const seen: AbortSignal[] = [];
  const made: Errand = {
    text,
    run: ({ signal }) =>
      new Promise((resolve) => {
        seen.push(signal);
        end = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
  };
  return { made, seen, end: () => end() };
}

test('errands run one after another; what waits is told', async () => {
  const errands = createErrands(
    () => {},
    () => {},
  );
  const [one, two] = [errand('one'), errand('two')];
  errands.add(one.made);
  errands.add(two.made);
  expect([errands.busy(), errands.waiting(), two.seen.length]).toEqual([true, ['two'], 0]);
  one.end();
  await vi.waitFor(() => expect(two.seen.length).toBe(1));
  two.end();
  await errands.settled();
  expect(errands.busy()).toBe(false);
});

test('aborting ends what runs and gives back what waited, unbegun', async () => {
  const errands = createErrands(
    () => {},
    () => {},
  );
  const [one, two] = [errand('one'), errand('two')];
  errands.add(one.made);
  errands.add(two.made);
  expect(errands.abort()).toEqual(['two']);
  await errands.settled();
  expect([one.seen[0]!.aborted, two.seen.length]).toEqual([true, 0]);
});

test('an interrupt ends the command that runs, not the errand; without a command the errand', async () => {
  const errands = createErrands(
    () => {},
    () => {},
  );
  expect(errands.interrupt()).toBe(false);
  const stopped = vi.fn();
  let signal: AbortSignal | undefined;
  errands.add({
    text: 'x',
    run: (context) =>
      new Promise((resolve) => {
        signal = context.signal;
        const forget = context.interrupter.watch(() => {
          stopped();
          forget();
        });
        context.signal.addEventListener('abort', () => resolve());
      }),
  });
  expect([errands.interrupt(), stopped.mock.calls.length, signal!.aborted]).toEqual([true, 1, false]);
  expect([errands.interrupt(), signal!.aborted]).toEqual([true, true]);
  await errands.settled();
});

test('an errand that throws is told, and the next one runs', async () => {
  const onError = vi.fn();
  const errands = createErrands(() => {}, onError);
  const after = vi.fn(async () => {});
  errands.add({ text: 'bad', run: async () => Promise.reject(new Error('no')) });
  errands.add({ text: 'good', run: after });
  await errands.settled();
  expect([onError.mock.calls[0]?.[0].message, after.mock.calls.length]).toEqual(['no', 1]);
});

test('the modes go round; from another one, back to asking', () => {
  const modes = createModeSwitch('ask');
  const seen = [0, 1, 2].map(() => {
    modes.next();
    return modes.get();
  });
  modes.set('all');
  modes.next();
  expect([...seen, modes.get()]).toEqual(['edits', 'plan', 'ask', 'ask']);
});

test('what was started for one mode stays in it', () => {
  const modes = createModeSwitch('plan', true);
  modes.next();
  modes.set('all');
  expect(modes.get()).toBe('plan');
});

test('editing a proposal: the one long text as it is, else the arguments as JSON; nothing changed is nothing new', async () => {
  const folder = tempFolder({
    'name.sh': 'sed -i s/one/two/ "$1"',
    'still.sh': 'true',
    'bad.sh': 'exit 3',
    'empty.sh': ': > "$1"',
  });
  const env = (script: string) => ({ ...process.env, EDITOR: `sh ${join(folder, script)}` });
  expect(await editProposal({ arguments: { command: 'echo one' } }, env('name.sh'))).toEqual({ command: 'echo two' });
  expect(await editProposal({ arguments: { path: 'a.ts', content: 'one\n' } }, env('name.sh'))).toEqual({
    path: 'a.ts',
    content: 'two\n',
  });
  expect(await editProposal({ arguments: { edits: [{ old: 'one' }] } }, env('name.sh'))).toEqual({
    edits: [{ old: 'two' }],
  });
  expect(await editProposal({ arguments: { command: 'echo one' } }, env('still.sh'))).toBeUndefined();
  await expect(editProposal({ arguments: { command: 'x' } }, env('bad.sh'))).rejects.toThrow('ended with 3');
  await expect(editProposal({ arguments: { edits: [] } }, env('empty.sh'))).rejects.toThrow(
    /^What the editor left is no JSON \(.*\)\. Nothing was changed\.$/,
  );
});

test('the history of a folder: owner-only lines, secrets masked, the same twice is once', () => {
  const file = join(tempFolder(), 'prompts', 'x.jsonl');
  const mask = (text: string) => text.replace('hunter2', '***');
  const history = openPromptHistory(file, mask);
  for (const text of ['one', 'one', 'pass hunter2', 'two\nlines']) history.add(text);
  expect(openPromptHistory(file, mask).all()).toEqual(['one', 'pass ***', 'two\nlines']);
});

test('a long history keeps its end', () => {
  const file = join(tempFolder(), 'x.jsonl');
  const history = openPromptHistory(file, (text) => text);
  for (let at = 0; at < 1100; at += 1) history.add(`prompt ${at}`);
  expect(openPromptHistory(file, (text) => text).all()).toHaveLength(500);
  expect(
    openPromptHistory(file, (text) => text)
      .all()
      .at(-1),
  ).toBe('prompt 1099');
});

test('the diff of a call that is done: what was planned, or the hunks that were taken; once', async () => {
  const root = tempFolder({ 'a.txt': Array.from({ length: 30 }, (_, at) => `l${at}\n`).join('') });
  const diffs = createPlannedDiffs(() => false);
  const approver = diffs.watch({ present: true, ask: async () => ({ type: 'hunks', ids: ['a.txt#2'] }) });
  const { gate, close } = await openGate({ root, home: tempFolder(), approver });
  const edits = [
    { oldString: 'l1\n', newString: 'L1\n' },
    { oldString: 'l25\n', newString: 'L25\n' },
  ];
  await gate.call({ id: 'c', tool: 'multi_edit', args: { path: 'a.txt', edits } });
  await close();
  const diff = diffs.take('c');
  expect(diff).toContain('+L25');
  expect(diff).not.toContain('+L1');
  expect(diffs.take('c')).toBeUndefined();
});
