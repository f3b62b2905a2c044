import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseArguments, toJsonSchema } from '../../src/base/schema.ts';

const schema = z.strictObject({
  path: z.string(),
  limit: z.int().optional(),
  edits: z.array(z.strictObject({ a: z.string() })).optional(),
});
const shape = 'Expected: {"path": string, "limit"?: integer, "edits"?: [{"a": string}, …]}';
const refusal = (raw: unknown) => {
  try {
    parseArguments('read_file', schema, raw);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test.each([
  ['{"path":"a","x":1}', 'json: unknown field "x"'],
  ['{"path":"a"}{"path":"b"}', 'multiple json values; send exactly one object'],
  ['{"path":"a"} tail', 'text after the JSON object: "tail"'],
  [`{"path":${'['.repeat(300)}${']'.repeat(300)}}`, 'the JSON is nested too deep'],
  ['{"path":"a"', 'the JSON is cut off before its end; send the whole object again'],
  ['', 'field "path" is required (string)'],
  ['{"path":null}', 'field "path" must be a string, got null'],
  [
    '{"path":"a","limit":"2"}',
    'field "limit" must be a number, got a string "2"; send the value itself, not text that holds it',
  ],
  ['{"path":"a","edits":[{"a":1}]}', 'field "edits[0].a" must be a string, got a number 1'],
  ['{"path":1e400}', 'field "path" must be a string, got a number Infinity'],
  ['{"path":"a","edits":[{"a":"x","b":1}]}', 'json: unknown field "edits[0].b"'],
  ['[1]', 'expected an object, got an array'],
])('%s is refused with the field and the shape', (raw, problem) => {
  expect(refusal(raw)).toBe(`invalid read_file arguments: ${problem}. ${shape}`);
});

test('a bound is told with what it counts, a choice with what can be chosen', () => {
  const waits = z.strictObject({
    ms: z.int().max(600).optional().describe('ms, default 30'),
    each: z.array(z.strictObject({ n: z.int().min(1).describe('lines') })).optional(),
    how: z.union([z.boolean(), z.literal('later')]).optional(),
  });
  const refused = (raw: object) => {
    try {
      parseArguments('wait', waits, raw);
    } catch (error) {
      return (error as Error).message.split('. Expected')[0];
    }
    return undefined;
  };
  expect([{ ms: 601 }, { each: [{ n: 0 }] }, { how: 'yes' }].map(refused)).toEqual([
    'invalid wait arguments: field "ms" must be at most 600, got 601 (ms, default 30)',
    'invalid wait arguments: field "each[0].n" must be at least 1, got 0 (lines)',
    'invalid wait arguments: field "how" must be boolean | "later", got a string "yes"',
  ]);
});

test('good arguments come back typed', () => {
  expect(parseArguments('read_file', schema, '{"path":"a","limit":2}')).toEqual({ path: 'a', limit: 2 });
});

test('the schema for the model carries no idle bytes', () => {
  expect(toJsonSchema(z.strictObject({ n: z.int().min(1) }))).toEqual({
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1 } },
    required: ['n'],
    additionalProperties: false,
  });
});
