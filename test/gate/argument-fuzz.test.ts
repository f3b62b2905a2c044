import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestGate } from '../support/gate.ts';
import { runs } from '../support/runs.ts';

const names = [
  'path',
  'patch',
  'oldString',
  'newString',
  'content',
  'pattern',
  'command',
  'edits',
  'paths',
  'offset',
  'from',
  'to',
];
const odd = fc.constantFrom<unknown>(
  null,
  '',
  '.',
  '..',
  '\0',
  'a.txt',
  '/etc/passwd',
  -1,
  1e300,
  0.5,
  true,
  [],
  {},
  [[]],
  '\ud800',
);
const args = fc.oneof(fc.dictionary(fc.constantFrom(...names), fc.oneof(odd, fc.jsonValue())), fc.jsonValue(), odd);
/** JSON as a model sends it: whole, cut off, or with something behind it. */
const text = fc.tuple(args, fc.nat(), fc.constantFrom('whole', 'cut', 'trailing')).map(([value, at, kind]) => {
  const json = JSON.stringify(value) ?? 'undefined';
  if (kind === 'whole') return json;
  return kind === 'cut' ? json.slice(0, at % (json.length + 1)) : `${json}}`;
});

test('whatever a model sends as arguments, a call answers, and nothing happens unasked', async () => {
  const gate = await openTestGate({ files: { 'a.txt': 'one\ntwo\n' } });
  const tools = gate.app.gate.definitions().map(({ name }) => name);
  const changing = tools.filter((name) => name !== 'bash' && !name.startsWith('mcp__'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...changing), fc.oneof(args, text), async (tool, sent) => {
      const result = await gate.call(tool, sent);
      expect(typeof result.text).toBe('string');
      if (result.ok) expect(result.changes).toEqual([]);
      expect(gate.read('a.txt')).toBe('one\ntwo\n');
    }),
    runs(300),
  );
});
