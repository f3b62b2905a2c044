import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryTools } from '../../src/extend/memory.ts';
import { notesForPrompt, openNotes } from '../../src/extend/notes.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

function memory(root = tempFolder(), home = tempFolder()) {
  const tools = Object.fromEntries(memoryTools({ home, root }).map((tool) => [tool.name, tool]));
  const call = async (name: string, args: unknown) => {
    const { text, code } = await callTool(tools[name]!, args, { root });
    return code === undefined ? text : `${code}: ${text}`;
  };
  return { call, home, root, tools };
}

test('notes outlive the session, per project, in a file of the user alone', async () => {
  const { call, home, root } = memory();
  expect(await call('recall', { query: '' })).toBe('There are no notes yet.');
  expect(await call('remember', { note: ' Tests live in test/ ' })).toBe('Noted. Notes in all: 1.');
  expect(await call('remember', { note: 'npm run check', kind: 'command' })).toBe('Noted. Notes in all: 2.');
  const later = memory(root, home);
  expect(await later.call('recall', { query: '' })).toBe('- fact: Tests live in test/\n- command: npm run check');
  expect(await memory(tempFolder(), home).call('recall', { query: '' })).toBe('There are no notes yet.');
  const [file] = readdirSync(join(home, 'notes'));
  expect(statSync(join(home, 'notes', file!)).mode & 0o777).toBe(0o600);
});

test('recall finds what holds all words, in any case and order, kind included', async () => {
  const { call } = memory();
  await call('remember', { note: 'The parser is generated; edit grammar.y', kind: 'gotcha' });
  await call('remember', { note: 'The parser was chosen for speed', kind: 'decision' });
  expect(await call('recall', { query: 'PARSER grammar' })).toBe('- gotcha: The parser is generated; edit grammar.y');
  expect(await call('recall', { query: 'decision' })).toBe('- decision: The parser was chosen for speed');
  expect(await call('recall', { query: 'parser lexer' })).toBe(
    'No note has all of these words: parser lexer. Notes in all: 2.',
  );
});

test('the same note is not kept twice', async () => {
  const { call } = memory();
  await call('remember', { note: 'Use tabs' });
  expect(await call('remember', { note: ' use  TABS', kind: 'decision' })).toBe(
    'conflict: This is noted already: Use tabs',
  );
});

describe('forget', () => {
  test('takes back the one note that matches, and its text is gone from the disk', async () => {
    const { call, home } = memory();
    await call('remember', { note: 'a secret plan' });
    await call('remember', { note: 'another thing' });
    expect(await call('forget', { note: 'PLAN' })).toBe('Forgotten: fact: a secret plan');
    expect(await call('recall', { query: '' })).toBe('- fact: another thing');
    const [file] = readdirSync(join(home, 'notes'));
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(home, 'notes', file!), 'utf8')).not.toContain('secret');
  });

  test('lists several, and takes the whole text of one', async () => {
    const { call } = memory();
    await call('remember', { note: 'use tabs' });
    await call('remember', { note: 'use tabs in Makefiles' });
    expect(await call('forget', { note: 'in tabs' })).toBe('Forgotten: fact: use tabs in Makefiles');
    await call('remember', { note: 'use tabs everywhere' });
    expect(await call('forget', { note: 'tabs' })).toBe(
      'conflict: 2 notes match. Nothing was forgotten; send one of them whole:\n- fact: use tabs\n- fact: use tabs everywhere',
    );
    expect(await call('forget', { note: 'use tabs' })).toBe('Forgotten: fact: use tabs');
    expect(await call('forget', { note: 'spaces' })).toBe(
      'missing: No note has all of these words: spaces. Notes in all: 1.',
    );
  });
});

test.each([
  [{ note: '' }, 'field "note": is empty'],
  [{ note: ' ' }, 'field "note": is empty'],
  [{ note: 'x'.repeat(401) }, 'field "note": is longer than 400 characters; keep what matters'],
  [{ note: 'a\nb' }, 'field "note": must be one line of plain text'],
  [{ note: 'a\u001b[2J' }, 'field "note": must be one line of plain text'],
  [{ note: 'a', kind: 'idea' }, 'field "kind" must be one of "fact", "decision", "gotcha", "command", got "idea"'],
])('a note that is none is refused: %#', async (args, problem) => {
  expect(await memory().call('remember', args)).toContain(`invalid: invalid remember arguments: ${problem}.`);
});

test('the prompt gets the newest notes that fit', async () => {
  const { home, root, call } = memory();
  expect(notesForPrompt({ home, root })).toEqual([]);
  for (let at = 0; at < 30; at += 1) await call('remember', { note: `${at} ${'x'.repeat(390)}` });
  const lines = notesForPrompt({ home, root });
  expect(lines[0]).toBe('(21 older notes not shown; find them with recall)');
  expect(lines.at(-1)).toMatch(/^fact: 29 x/);
  expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(4200);
});

test('a torn or foreign line in the file costs no other note, and can’t break out of its line', () => {
  const home = tempFolder();
  const root = tempFolder();
  const notes = openNotes({ home, root });
  notes.add({ note: 'kept', kind: 'fact' });
  const file = join(home, 'notes', readdirSync(join(home, 'notes'))[0]!);
  appendFileSync(file, '{"note": "two\\nlines \\u001b[2J", "kind": "x"}\n{"note": 5}\n{"note": "to');
  expect(openNotes({ home, root }).all()).toEqual([
    { note: 'kept', kind: 'fact' },
    { note: 'two lines \\u001b[2J', kind: 'fact' },
  ]);
  notes.add({ note: 'after', kind: 'gotcha' });
  expect(notes.all()).toHaveLength(3);
});
