import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseConfig } from '../../src/config/document.ts';

const schema = z.strictObject({
  model: z.string().optional(),
  sandbox: z
    .strictObject({ mode: z.enum(['auto', 'off']), network: z.boolean() })
    .partial()
    .optional(),
  permission: z.record(z.string(), z.string()).optional(),
});
const problem = (text: string) => {
  try {
    parseConfig('config.json', text, schema);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test('comments, trailing commas and a byte-order mark are fine; keys know their lines', () => {
  const document = parseConfig(
    'config.json',
    '\uFEFF{\n // a comment\n "model": "x/y",\n "permission": {\n  "bash": "ask",\n },\n}\n',
    schema,
  );
  expect(document.value).toEqual({ model: 'x/y', permission: { bash: 'ask' } });
  expect(document.lineOf(['permission', 'bash'])).toBe(5);
});

test.each([
  ['{"model": 1}', 'config.json:1: key "model": Invalid input: expected string, received number'],
  [
    '{\n"modle": "x"}',
    'config.json:2: unknown key "modle". Did you mean "model"? Valid keys: model, sandbox, permission',
  ],
  [
    '{\n"sandbox": {\n "netwrok": true}}',
    'config.json:3: unknown key "sandbox.netwrok". Did you mean "network"? Valid keys: mode, network',
  ],
  ['{"model": "x"', 'config.json:1: not valid JSON: close brace expected'],
  ['', 'config.json:1: not valid JSON: value expected'],
  ['{"permission": {"bash": "ask",\n"bash": "allow"}}', 'config.json:2: key "permission.bash" stands twice'],
])('%j is refused with file, line and key', (text, expected) => {
  expect(problem(text)).toBe(`${expected}. Nothing of this file was applied.`);
});
