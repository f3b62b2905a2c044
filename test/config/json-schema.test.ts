import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.ts';

const file = resolve(import.meta.dirname, '../../schema/config.schema.json');

test('the published schema is the one that reads files; `npm run schema` writes it anew', () => {
  expect(readFileSync(file, 'utf8')).toBe(configJsonSchema());
});

test('an unknown key is an error to an editor too', () => {
  const schema = JSON.parse(configJsonSchema());
  expect([schema.type, schema.additionalProperties]).toEqual(['object', false]);
  expect(schema.required).toBe(undefined);
});
